package io.agentprm.testkit;

import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** States of the toy house, and odd ones. */
final class ToyStates {
    private ToyStates() {}

    /** The states before the turns of some random episodes of the house. */
    static List<State> ofHouse() {
        ToyEnvironment house = ToyEnvironment.of(ToyMdp.house());
        RolloutPlan plan = RolloutPlan.of(house.tasks("train"), 3, RandomSource.of(17));
        List<State> states = new ArrayList<>();
        for (Trajectory trajectory :
                SimpleRollouts.of(house).collect(ScriptedPolicy.random(), plan)) {
            states.addAll(trajectory.states().subList(0, trajectory.length()));
        }
        return states;
    }

    /** First states whose texts are odd, by what is odd; they offer the given actions. */
    static Map<String, State> odd(List<String> actions) {
        Map<String, State> states = new LinkedHashMap<>();
        OddTexts.all()
                .forEach(
                        (what, text) ->
                                states.put(
                                        what,
                                        State.initial(
                                                Task.of("odd", "train", "odd"),
                                                EpisodeStart.of(
                                                        text,
                                                        Observation.text(text)
                                                                .withAdmissibleActions(actions)))));
        return states;
    }

    /** The actions that a state offers. */
    static List<String> actions(State state) {
        return state.observation().admissibleActions().orElse(List.of());
    }
}
