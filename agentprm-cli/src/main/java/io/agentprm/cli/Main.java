package io.agentprm.cli;

import io.agentprm.core.context.StopSignal;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Entry point of the {@code agentprm} command. */
public final class Main {
    private Main() {}

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // A pipe or file gets UTF-8 whatever the locale; a report is the same bytes everywhere.
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int code = AgentPrm.execute(AgentPrm.commandLine().setOut(out).setErr(err), arguments);
        out.flush();
        err.flush();
        if (StopSignal.jvmEnding()) {
            // A signal has begun the end of the JVM; exit would wait for it, and its code would
            // win.
            Runtime.getRuntime().halt(code);
        }
        System.exit(code);
    }
}
