package io.agentprm.api.lm;

import io.agentprm.api.Experimental;

/**
 * Identity and size of a model for reports.
 *
 * @param name name of the model or its directory
 * @param engine engine that runs it
 * @param device effective device, such as {@code cpu} or {@code cuda:0}
 * @param parameters number of weights
 * @param contextLength largest number of tokens of a sequence
 * @param hasScoreHead whether the score channel exists
 */
@Experimental(since = "1.0")
public record ModelInfo(
        String name,
        String engine,
        String device,
        long parameters,
        int contextLength,
        boolean hasScoreHead) {}
