package io.agentprm.cli;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.run.CancelledException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns errors into one line and an exit code. */
final class Failures {
    private Failures() {}

    static int report(Exception error, PrintWriter err, boolean debug) {
        if (debug) {
            error.printStackTrace(err);
        }
        if (error instanceof CancelledException) {
            err.println("agentprm: stopped; the same command continues");
            return ExitCode.STOPPED;
        }
        if (error instanceof AgentPrmException) {
            err.println("agentprm: " + error.getMessage());
            return ExitCode.REFUSED;
        }
        err.println(
                "agentprm: unexpected "
                        + error.getClass().getSimpleName()
                        + ": "
                        + error.getMessage()
                        + (debug ? "" : " (--debug shows where)"));
        return ExitCode.DEFECT;
    }

    static int usage(ParameterException error, String[] arguments) {
        CommandLine command = error.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("agentprm: " + error.getMessage());
        if (!UnmatchedArgumentException.printSuggestions(error, err)) {
            err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        return ExitCode.REFUSED;
    }
}
