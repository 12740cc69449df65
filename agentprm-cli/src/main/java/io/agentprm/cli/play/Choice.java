package io.agentprm.cli.play;

import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** An admissible action with what the reward model thinks of it. */
record Choice(String action, OptionalDouble score) {
    /** The admissible actions in the environment's order or, with a judge, the best first. */
    static List<Choice> of(State state, EpisodeId episode, Optional<RewardModel> judge) {
        List<String> actions = state.observation().admissibleActions().orElse(List.of());
        if (judge.isEmpty() || actions.isEmpty()) {
            return actions.stream().map(a -> new Choice(a, OptionalDouble.empty())).toList();
        }
        List<Decision> decisions = actions.stream().map(Decision::of).toList();
        double[] scores =
                judge.get().score(List.of(ScoringRequest.of(state, episode, decisions))).get(0);
        List<Choice> choices = new ArrayList<>();
        for (int i = 0; i < scores.length; i++) {
            choices.add(new Choice(actions.get(i), OptionalDouble.of(scores[i])));
        }
        choices.sort(Comparator.comparingDouble((Choice c) -> c.score().orElseThrow()).reversed());
        return choices;
    }

    /** The score as a probability where it is one, else as it is; empty text without a judge. */
    String scoreText(Optional<RewardModel> judge) {
        if (score.isEmpty() || judge.isEmpty()) {
            return "";
        }
        OptionalDouble probability = judge.get().probability(score.getAsDouble());
        return String.format(
                Locale.ROOT,
                probability.isPresent() ? "%.3f" : "%.2f",
                probability.orElse(score.getAsDouble()));
    }
}
