package io.agentprm.api.lm;

import io.agentprm.api.policy.Policy;
import io.agentprm.api.policy.Sampling;

/** A policy that is a language model. */
public interface LanguagePolicy extends Policy {
    LanguageModel model();

    StateRenderer renderer();

    /** How it samples when a request does not say. */
    Sampling sampling();
}
