package io.agentprm.testkit;

import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.State;

class TabularRewardModelContractTest extends RewardModelContract {
    @Override
    protected RewardModel openRewardModel() {
        ToyMdp mdp = ToyMdp.house();
        TabularModel model = TabularModel.sgd(mdp.tokenizer(), mdp.replyPrior());
        ToyRenderer renderer = ToyRenderer.of(mdp.tokenizer());
        double score = -1;
        for (State state : states()) {
            for (Decision decision : decisions(state)) {
                int[] before = renderer.state(state);
                int[] reply = renderer.reply(decision);
                int[] all = java.util.Arrays.copyOf(before, before.length + reply.length);
                System.arraycopy(reply, 0, all, before.length, reply.length);
                model.setScore(all, score += 0.1);
            }
        }
        return TabularRewardModel.of("tabular", model, renderer);
    }
}
