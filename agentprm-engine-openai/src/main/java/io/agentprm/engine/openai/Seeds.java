package io.agentprm.engine.openai;

import io.agentprm.api.run.RandomSource;

/** Seeds that every server takes: 31 bits, never negative. */
final class Seeds {
    private Seeds() {}

    static int of(RandomSource random) {
        return (int) (random.seed() >>> 33);
    }
}
