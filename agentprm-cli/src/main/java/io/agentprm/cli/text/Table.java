package io.agentprm.cli.text;

import java.io.PrintWriter;
import java.util.List;

/** Rows of equal length in columns that are as wide as their widest cell. */
public final class Table {
    private Table() {}

    public static void print(PrintWriter out, List<List<String>> rows) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns - 1; i++) {
                String cell = row.get(i);
                line.append(cell).append(" ".repeat(widths[i] - cell.length() + 2));
            }
            out.println(line.append(row.get(columns - 1)).toString().stripTrailing());
        }
    }
}
