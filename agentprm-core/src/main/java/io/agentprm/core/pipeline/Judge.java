package io.agentprm.core.pipeline;

import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RunContext;
import io.agentprm.core.config.ComponentConfig;
import java.nio.file.Path;

/** The reward model by whose scores an agent chooses. */
sealed interface Judge {
    /** Its name in titles and reports. */
    String id();

    /** The reward model, to be closed by the caller. */
    RewardModel open(Workshop workshop, RunContext context);

    /** One that was trained: its scores mean what the workshop says. */
    record Trained(String id, Path model) implements Judge {
        @Override
        public RewardModel open(Workshop workshop, RunContext context) {
            return workshop.rewardModel(id, model);
        }
    }

    /** One of a provider: it says itself what its scores mean. */
    record Configured(ComponentConfig component) implements Judge {
        @Override
        public String id() {
            return component.name();
        }

        @Override
        public RewardModel open(Workshop workshop, RunContext context) {
            return workshop.rewardModel(component, context);
        }
    }
}
