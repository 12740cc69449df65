package io.agentprm.lm.agent;

import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainablePolicy;
import io.agentprm.api.policy.Sampling;
import io.agentprm.lm.text.ReplyFormat;

/** A model policy whose model can be trained. */
final class TrainableModelPolicy extends ModelPolicy<TrainableModel> implements TrainablePolicy {
    TrainableModelPolicy(
            String id,
            TrainableModel model,
            StateRenderer renderer,
            ReplyFormat format,
            Decoding decoding,
            Sampling sampling) {
        super(id, model, renderer, format, decoding, sampling);
    }
}
