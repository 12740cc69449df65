package io.agentprm.algos.optim;

import io.agentprm.api.env.Environment;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.testkit.SimpleRollouts;
import io.agentprm.testkit.TabularModel;
import io.agentprm.testkit.TabularPolicy;
import io.agentprm.testkit.ToyEnvironment;
import io.agentprm.testkit.ToyMdp;
import io.agentprm.testkit.ToyRenderer;
import java.util.List;

/** The toy house with models that know how to reply and nothing else. */
public record ToySetup(ToyMdp mdp) {
    public static ToySetup house() {
        return new ToySetup(ToyMdp.house());
    }

    public static ToySetup stochasticHouse() {
        return new ToySetup(ToyMdp.stochasticHouse());
    }

    public Environment environment() {
        return ToyEnvironment.of(mdp);
    }

    public TabularModel model() {
        return TabularModel.adamW(mdp.tokenizer(), mdp.replyPrior(), OptimizerOptions.adamW(0));
    }

    public TabularModel sgdModel() {
        return TabularModel.sgd(mdp.tokenizer(), mdp.replyPrior());
    }

    public ToyRenderer renderer() {
        return ToyRenderer.of(mdp.tokenizer());
    }

    public TabularPolicy policy(String id, TabularModel model) {
        return TabularPolicy.of(id, model, renderer());
    }

    public List<Trajectory> rollouts(Policy policy, int perTask, long seed) {
        return SimpleRollouts.of(environment())
                .collect(
                        policy,
                        RolloutPlan.of(
                                environment().tasks("train"), perTask, RandomSource.of(seed)));
    }

    /** Share of successes of a policy over many episodes of all tasks. */
    public double successRate(Policy policy, long seed) {
        return rollouts(policy, 500, seed).stream().filter(Trajectory::success).count() / 1000.0;
    }

    /** Token ids of words. */
    public int[] tokens(String... words) {
        int[] ids = new int[words.length + 1];
        ids[0] = mdp.tokenizer().beginOfSequence();
        for (int i = 0; i < words.length; i++) {
            ids[i + 1] =
                    words[i].equals(".")
                            ? mdp.tokenizer().endOfTurn()
                            : mdp.tokenizer().id(words[i]);
        }
        return ids;
    }

    /** Probability of a word after words; a full stop is the end of turn. */
    public double probability(TabularModel model, String word, String... prefix) {
        return model.probabilities(tokens(prefix))[mdp.tokenizer().id(word)];
    }
}
