package io.agentprm.cli;

/** Exit codes of the command; scripts rely on them. */
final class ExitCode {
    static final int OK = 0;

    /** The command ran and what it checked does not hold. */
    static final int CHECK_FAILED = 1;

    /** Wrong usage, configuration or data; the message says what to change. */
    static final int REFUSED = 2;

    /** A defect of the program itself. */
    static final int DEFECT = 3;

    /** Stopped by Ctrl-C or SIGTERM; the same command goes on. */
    static final int STOPPED = 130;

    private ExitCode() {}
}
