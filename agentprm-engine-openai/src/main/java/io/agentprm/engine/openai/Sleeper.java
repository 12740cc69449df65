package io.agentprm.engine.openai;

import java.time.Duration;

/** Waits. */
@FunctionalInterface
interface Sleeper {
    void sleep(Duration time) throws InterruptedException;

    /** Really waits. */
    static Sleeper system() {
        return time -> Thread.sleep(time.toMillis());
    }
}
