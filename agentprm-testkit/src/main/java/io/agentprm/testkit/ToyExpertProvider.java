package io.agentprm.testkit;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.PolicyProvider;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.State;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/** The policy {@code toy-expert}: optimal in a toy process, or less than that by its noise. */
public final class ToyExpertProvider implements PolicyProvider<ToyExpertProvider.Config> {
    /** Configuration. */
    @Description("An expert of a toy process.")
    public record Config(
            @Description("The process that it knows.") @Default("house") ToyProcess process,
            @Description("Probability of a random admissible action instead, in [0, 1].")
                    @Default("0")
                    double noise) {
        public Config {
            if (!(noise >= 0 && noise <= 1)) {
                throw new IllegalArgumentException("noise must lie in [0, 1], was " + noise);
            }
        }
    }

    @Override
    public String name() {
        return "toy-expert";
    }

    @Override
    public String description() {
        return "The optimal actions of a toy process with noise, for tests.";
    }

    @Override
    public Class<Config> configuration() {
        return Config.class;
    }

    @Override
    public Policy create(Config config, Components components, RunContext context) {
        ToyMdp mdp = config.process().mdp();
        ToyValues values = ToyValues.of(mdp, 1);
        return ScriptedPolicy.of(
                "toy-expert", (state, random) -> decide(mdp, values, config, state, random));
    }

    private static Decision decide(
            ToyMdp mdp, ToyValues values, Config config, State state, RandomGenerator random) {
        String place = state.observation().text();
        List<String> actions = mdp.actions(place);
        if (random.nextDouble() < config.noise()) {
            return Decision.of(actions.get(random.nextInt(actions.size())));
        }
        return Decision.of(
                actions.stream()
                        .max(
                                Comparator.comparingDouble(
                                        action -> values.optimalQ(place, state.turn(), action)))
                        .orElseThrow());
    }
}
