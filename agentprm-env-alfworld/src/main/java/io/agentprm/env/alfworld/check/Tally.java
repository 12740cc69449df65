package io.agentprm.env.alfworld.check;

import java.io.PrintStream;

/** Counts comparisons and prints the first difference of each game. */
final class Tally {
    private final PrintStream out;
    private long comparisons;
    private long mismatches;
    private boolean shown;

    Tally(PrintStream out) {
        this.out = out;
    }

    /** The next game begins. */
    void startGame() {
        shown = false;
    }

    void compare(String where, String what, Object expected, Object actual) {
        comparisons++;
        if (!expected.equals(actual)) {
            mismatches++;
            if (!shown) {
                shown = true;
                out.println(where + ": " + what);
                out.println("  expected " + expected);
                out.println("  actual   " + actual);
            }
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
