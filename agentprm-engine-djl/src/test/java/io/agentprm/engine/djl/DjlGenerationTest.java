package io.agentprm.engine.djl;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.lm.testing.GenerationRules;

/** The engine keeps the rules of generation. */
class DjlGenerationTest extends GenerationRules {
    @Override
    protected InferenceEngine open(long cacheMegabytes) {
        return DjlEngine.open(
                DjlConfig.defaults().withThreads(1).withCacheMegabytes(cacheMegabytes));
    }
}
