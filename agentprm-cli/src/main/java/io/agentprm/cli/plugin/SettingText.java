package io.agentprm.cli.plugin;

import io.agentprm.core.config.ConfigReference;
import java.io.PrintWriter;

/** A setting as a paragraph: key and default, then what it may be and what it means. */
final class SettingText {
    private static final int WIDTH = 92;
    private static final String INDENT = "    ";

    private SettingText() {}

    static void print(PrintWriter out, ConfigReference.Row row) {
        out.println(
                switch (row.defaultValue()) {
                    case "required" -> row.key() + " (required)";
                    case "" -> row.key() + " (may be left out)";
                    default -> row.key() + " = " + row.defaultValue();
                });
        String type = Character.toUpperCase(row.type().charAt(0)) + row.type().substring(1) + ".";
        StringBuilder line = new StringBuilder(INDENT);
        for (String word : (type + " " + row.description()).strip().split("\\s+")) {
            if (line.length() + word.length() > WIDTH) {
                out.println(line.toString().stripTrailing());
                line.setLength(0);
                line.append(INDENT);
            }
            line.append(word).append(' ');
        }
        out.println(line.toString().stripTrailing());
    }
}
