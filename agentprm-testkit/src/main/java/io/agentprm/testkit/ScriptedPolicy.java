package io.agentprm.testkit;

import io.agentprm.api.env.Action;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.State;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;

/**
 * A policy given by a function of state and random numbers. It gives no token ids, as a remote
 * policy may.
 */
public final class ScriptedPolicy implements Policy {
    private final String id;
    private final BiFunction<State, RandomGenerator, Decision> script;

    private ScriptedPolicy(String id, BiFunction<State, RandomGenerator, Decision> script) {
        this.id = id;
        this.script = script;
    }

    public static ScriptedPolicy of(
            String id, BiFunction<State, RandomGenerator, Decision> script) {
        return new ScriptedPolicy(id, script);
    }

    /** Every admissible action with equal probability. */
    public static ScriptedPolicy random() {
        return of(
                "random",
                (state, random) -> {
                    List<String> actions =
                            state.observation()
                                    .admissibleActions()
                                    .orElseThrow(
                                            () ->
                                                    new TestkitException(
                                                            "the random policy needs admissible"
                                                                    + " actions"));
                    return Decision.of(actions.get(random.nextInt(actions.size())));
                });
    }

    /** The given actions by turn, the last one for ever. */
    public static ScriptedPolicy sequence(String... actions) {
        return of(
                "sequence",
                (state, random) ->
                        Decision.of(actions[Math.min(state.turn(), actions.length - 1)]));
    }

    /** Replies in which no action can be found. */
    public static ScriptedPolicy unparseable() {
        return of(
                "unparseable",
                (state, random) ->
                        Decision.builder(Action.text(""))
                                .text("I would rather not say.")
                                .parseFailure("no action in the reply")
                                .build());
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public List<List<Decision>> decide(List<DecisionRequest> requests) {
        List<List<Decision>> result = new ArrayList<>(requests.size());
        for (DecisionRequest request : requests) {
            List<Decision> decisions = new ArrayList<>(request.samples());
            for (int i = 0; i < request.samples(); i++) {
                decisions.add(
                        script.apply(request.state(), request.random().derive(i).generator()));
            }
            result.add(decisions);
        }
        return result;
    }
}
