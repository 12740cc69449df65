package io.agentprm.core.run;

import io.agentprm.core.files.DurableFiles;

/** Simulates a kill: throws at the n-th step that reaches the disk. */
public final class Kill {
    /** Not an exception of the product, so that nothing can handle it. */
    public static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    private int left;

    private Kill(int left) {
        this.left = left;
    }

    /** Files that end the process, as it were, at that boundary. */
    public static DurableFiles at(int boundary) {
        Kill kill = new Kill(boundary);
        return DurableFiles.observed(
                what -> {
                    if (kill.left-- == 0) {
                        throw new Killed();
                    }
                });
    }
}
