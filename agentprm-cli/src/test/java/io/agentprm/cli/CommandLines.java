package io.agentprm.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/** The real command line, for tests in other packages. */
public final class CommandLines {
    private CommandLines() {}

    /** Whether these words name a command, without anything that it is told. */
    public static boolean isName(List<String> words) {
        CommandLine line = AgentPrm.commandLine();
        for (String word : words) {
            if (!line.getSubcommands().containsKey(word)) {
                return false;
            }
            line = line.getSubcommands().get(word);
        }
        return true;
    }

    /** Reads arguments without doing anything; complains as the command would. */
    public static void parse(List<String> arguments) {
        AgentPrm.commandLine().parseArgs(arguments.toArray(String[]::new));
    }

    /** Runs a command; its exit code must be 0. Returns what it printed. */
    public static String execute(List<String> arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line =
                AgentPrm.commandLine()
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true));
        int code = AgentPrm.execute(line, arguments.toArray(String[]::new));
        if (code != 0) {
            throw new AssertionError(arguments + " ended with " + code + ": " + out + err);
        }
        return out.toString();
    }
}
