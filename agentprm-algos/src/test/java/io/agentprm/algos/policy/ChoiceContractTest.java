package io.agentprm.algos.policy;

import io.agentprm.api.plugin.PolicyProvider;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RunContext;
import io.agentprm.testkit.PolicyContract;
import io.agentprm.testkit.ScriptedPolicy;
import io.agentprm.testkit.ScriptedRewardModel;
import org.junit.jupiter.api.Nested;

/** The policies that choose among samples keep the contract of policies. */
class ChoiceContractTest {
    abstract static class OfFour extends PolicyContract {
        private final PolicyProvider<ChoiceConfig> provider;

        OfFour(PolicyProvider<ChoiceConfig> provider) {
            this.provider = provider;
        }

        @Override
        protected Policy openPolicy() {
            ScriptedRewardModel likesOpen =
                    ScriptedRewardModel.of(
                            (state, decision) -> decision.action().text().equals("open") ? 1 : 0);
            return provider.create(
                    new ChoiceConfig(4, 1),
                    Wiring.of(ScriptedPolicy.random(), likesOpen),
                    RunContext.ofSeed(1));
        }
    }

    @Nested
    class BestOfN extends OfFour {
        BestOfN() {
            super(new BestOfNProvider());
        }
    }

    @Nested
    class MajorityVote extends OfFour {
        MajorityVote() {
            super(new MajorityVoteProvider());
        }
    }

    @Nested
    class RandomChoice extends OfFour {
        RandomChoice() {
            super(new RandomChoiceProvider());
        }
    }
}
