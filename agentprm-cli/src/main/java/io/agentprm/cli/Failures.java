package io.agentprm.cli;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.run.CancelledException;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns errors into one line and an exit code. */
final class Failures {
    /**
     * Names of the class loaders of the JDK; on its class path and module path we come from one.
     */
    private static final Set<String> OURS = Set.of("app", "platform");

    private Failures() {}

    static int report(Throwable error, PrintWriter err, boolean debug) {
        if (debug) {
            error.printStackTrace(err);
        }
        if (error instanceof CancelledException || metByTheEnd(error)) {
            err.println("agentprm: stopped; the same command continues");
            return ExitCode.STOPPED;
        }
        if (error instanceof AgentPrmException) {
            err.println("agentprm: " + error.getMessage());
            return ExitCode.REFUSED;
        }
        if (causes(error).anyMatch(OutOfMemoryError.class::isInstance)) {
            err.println(
                    "agentprm: out of memory ("
                            + error.getMessage()
                            + "); give the Java virtual machine more, such as"
                            + " AGENTPRM_JAVA_OPTS=-Xmx8g, or lower 'workers' in the"
                            + " configuration");
            return ExitCode.DEFECT;
        }
        err.println(
                "agentprm: unexpected "
                        + error.getClass().getSimpleName()
                        + ": "
                        + error.getMessage()
                        + inPlugin(error).map(where -> ", in the plugin " + where).orElse("")
                        + (debug ? "" : " (--debug shows where)"));
        return ExitCode.DEFECT;
    }

    /** The first line of a plugin's own that the error went through; its loader bears its place. */
    private static Optional<String> inPlugin(Throwable error) {
        return causes(error)
                .flatMap(cause -> Stream.of(cause.getStackTrace()))
                .filter(
                        frame ->
                                frame.getClassLoaderName() != null
                                        && !OURS.contains(frame.getClassLoaderName()))
                .findFirst()
                .map(
                        frame ->
                                frame.getClassLoaderName()
                                        + " at "
                                        + frame.getClassName()
                                        + "."
                                        + frame.getMethodName()
                                        + " ("
                                        + frame.getFileName()
                                        + ":"
                                        + frame.getLineNumber()
                                        + ")");
    }

    /** Libraries too register hooks, which fails once a signal has begun the end of the JVM. */
    private static boolean metByTheEnd(Throwable error) {
        return causes(error)
                .anyMatch(
                        cause ->
                                cause instanceof IllegalStateException
                                        && "Shutdown in progress".equals(cause.getMessage()));
    }

    /** The error and what caused it; a limit, since causes may go in circles. */
    private static Stream<Throwable> causes(Throwable error) {
        return Stream.iterate(error, Objects::nonNull, Throwable::getCause).limit(20);
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
