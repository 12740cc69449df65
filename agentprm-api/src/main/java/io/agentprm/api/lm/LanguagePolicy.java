package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.policy.Sampling;

/** A policy that is a language model. */
@Experimental(since = "1.0")
public interface LanguagePolicy extends Policy {
    LanguageModel model();

    StateRenderer renderer();

    /** How it samples when a request does not say. */
    Sampling sampling();
}
