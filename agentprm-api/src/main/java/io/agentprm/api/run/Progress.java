package io.agentprm.api.run;

import io.agentprm.api.Stable;

/** A bar of known length. Thread-safe. */
@Stable(since = "1.0")
public interface Progress extends AutoCloseable {
    /** So many more units are done. */
    void advance(long units);

    /** A short remark shown beside the bar, such as {@code "loss 0.41"}. */
    void note(String remark);

    /** The bar is over, complete or not. */
    @Override
    void close();

    /** Shows nothing. */
    static Progress none() {
        return new Progress() {
            @Override
            public void advance(long units) {}

            @Override
            public void note(String remark) {}

            @Override
            public void close() {}
        };
    }
}
