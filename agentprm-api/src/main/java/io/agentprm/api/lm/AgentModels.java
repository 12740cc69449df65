package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Trajectory;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * How an agent's models come to be and how they read and write: tokenizer and weights made new or
 * taken from a checkpoint, one renderer, one reply format, one way of decoding.
 */
@Experimental(since = "1.0")
public interface AgentModels {
    /**
     * Writes the model directory that training starts from; whole or not at all.
     *
     * @param corpus trajectories on whose rendered text a new tokenizer is trained; unused where a
     *     checkpoint brings one
     * @param random stream of the initial weights
     */
    void initialise(Path target, List<Trajectory> corpus, RandomSource random);

    /**
     * Writes a copy of a policy's model directory with a fresh score head: where a reward model
     * starts from.
     */
    void addScoreHead(Path policy, Path target, RandomSource random);

    /**
     * Largest number of weights that a model has which {@link #initialise} writes; empty where that
     * is not known beforehand.
     */
    default OptionalLong parameters() {
        return OptionalLong.empty();
    }

    /** The renderer for a model's tokenizer. */
    StateRenderer renderer(LanguageModel model);

    /** A policy around a model; closing it closes the model. */
    LanguagePolicy policy(String id, LanguageModel model);

    /** A trainable policy around a model; closing it closes the model. */
    TrainablePolicy trainablePolicy(String id, TrainableModel model);

    /**
     * A reward model around a model with a score head (scale LOGIT); closing it closes the model.
     */
    RewardModel rewardModel(String id, LanguageModel model);
}
