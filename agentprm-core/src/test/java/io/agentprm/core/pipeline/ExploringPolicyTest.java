package io.agentprm.core.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.core.RunException;
import io.agentprm.testkit.ScriptedPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExploringPolicyTest {
    private static final int TURNS = 2000;

    private final Policy left = ScriptedPolicy.sequence("left");

    private static DecisionRequest request(int turn, Observation seen) {
        State state = State.initial(Task.of("a", "train", "any"), EpisodeStart.of("go", seen));
        return DecisionRequest.of(
                state, new EpisodeId("a", turn), 1, RandomSource.of(1).derive(turn));
    }

    private static List<DecisionRequest> requests() {
        Observation seen =
                Observation.text("a fork").withAdmissibleActions(List.of("left", "right", "back"));
        return IntStream.range(0, TURNS).mapToObj(turn -> request(turn, seen)).toList();
    }

    private static List<Decision> decide(Policy policy, List<DecisionRequest> requests) {
        return policy.decide(requests).stream().map(list -> list.get(0)).toList();
    }

    @Test
    void aShareOfTheActionsIsAnyAdmissibleOneMarkedAsNotDeliberate() {
        List<Decision> decisions = decide(new ExploringPolicy(left, 0.3), requests());

        long strayed = decisions.stream().filter(decision -> !decision.deliberate()).count();
        assertEquals(0.3, strayed / (double) TURNS, 0.04);
        for (String action : List.of("left", "right", "back")) {
            long number =
                    decisions.stream()
                            .filter(decision -> !decision.deliberate())
                            .filter(decision -> decision.action().text().equals(action))
                            .count();
            assertEquals(1 / 3.0, number / (double) strayed, 0.08, action);
        }
        assertTrue(
                decisions.stream()
                        .filter(Decision::deliberate)
                        .allMatch(decision -> decision.action().text().equals("left")));
    }

    @Test
    void withoutExplorationTheDecisionsAreThePolicysOwn() {
        assertTrue(
                decide(new ExploringPolicy(left, 0), requests()).stream()
                        .allMatch(Decision::deliberate));
    }

    @Test
    void aDecisionDependsOnItsRequestAndNotOnTheBatch() {
        Policy exploring = new ExploringPolicy(left, 0.5);
        List<DecisionRequest> reversed = new ArrayList<>(requests());
        Collections.reverse(reversed);
        List<Decision> backwards = new ArrayList<>(decide(exploring, reversed));
        Collections.reverse(backwards);

        assertEquals(
                decide(exploring, requests()).stream().map(Decision::toString).toList(),
                backwards.stream().map(Decision::toString).toList());
    }

    @Test
    void anEnvironmentThatListsNoActionsCannotBeExplored() {
        RunException refused =
                assertThrows(
                        RunException.class,
                        () ->
                                new ExploringPolicy(left, 0.999)
                                        .decide(List.of(request(1, Observation.text("a fork")))));
        assertTrue(refused.getMessage().contains("loop.rollouts.exploration"), refused::getMessage);
    }
}
