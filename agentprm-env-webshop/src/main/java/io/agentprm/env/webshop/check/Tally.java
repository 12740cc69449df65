package io.agentprm.env.webshop.check;

import java.io.PrintStream;

/** Counts comparisons and prints what differs. */
final class Tally {
    private final PrintStream out;
    private long comparisons;
    private long mismatches;

    Tally(PrintStream out) {
        this.out = out;
    }

    void compare(String where, String what, Object expected, Object actual) {
        comparisons++;
        if (!expected.equals(actual)) {
            mismatches++;
            out.println(where + ": " + what);
            out.println("  expected " + expected);
            out.println("  actual   " + actual);
        }
    }

    /** Something could not be compared at all. */
    void failure(String where, String problem) {
        comparisons++;
        mismatches++;
        out.println(where + ": " + problem);
    }

    RecordingCheck.Result result() {
        return new RecordingCheck.Result(comparisons, mismatches);
    }
}
