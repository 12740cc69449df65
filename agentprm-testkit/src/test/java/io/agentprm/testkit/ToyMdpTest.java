package io.agentprm.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.Task;
import io.agentprm.api.lm.RenderedSegment;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToyMdpTest {
    private final ToyEnvironment environment = ToyEnvironment.of(ToyMdp.stochasticHouse());
    private final Task task = environment.tasks("train").get(0);

    @Test
    void valuesOfTheHouseAreThoseWorkedOutByHand() {
        ToyValues values = ToyValues.of(ToyMdp.stochasticHouse(), 0.9);
        assertEquals(0.8, values.optimalQ("kitchen", 1, "open"), 1e-12);
        assertEquals(0.72, values.optimalQ("hall", 0, "left"), 1e-12);
        assertEquals(0.648, values.optimalQ("cellar", 0, "left"), 1e-12);
        assertEquals(0, values.optimalQ("hall", 3, "left"), 1e-12);
        double uniform =
                values.value("hall", 3, (state, steps) -> new double[] {1 / 3., 1 / 3., 1 / 3.});
        assertEquals(0, uniform, 1e-12);
    }

    @Test
    void sameTaskSeedAndActionsGiveTheSameEpisode() {
        RolloutPlan plan = RolloutPlan.of(environment.tasks("train"), 20, RandomSource.of(1));
        List<String> first = describe(plan);
        assertEquals(first, describe(plan));
        assertTrue(first.stream().distinct().count() > 5);
    }

    private List<String> describe(RolloutPlan plan) {
        return SimpleRollouts.of(environment).collect(ScriptedPolicy.random(), plan).stream()
                .map(t -> t.turns().stream().map(u -> u.decision() + " ").toList() + " " + t.end())
                .toList();
    }

    @Test
    void aForkGoesItsOwnWay() {
        try (Session session = environment.open()) {
            session.reset(task, 4);
            session.step(Action.text("left"));
            try (Session fork = session.fork()) {
                assertEquals("hall", fork.step(Action.text("left")).observation().text());
                assertTrue(session.step(Action.text("open")).end().isPresent());
            }
        }
    }

    @Test
    void theStepLimitTerminatesWithOutcomeZero() {
        Trajectory trajectory =
                SimpleRollouts.of(environment)
                        .collect(
                                ScriptedPolicy.unparseable(),
                                RolloutPlan.of(List.of(task), 1, RandomSource.of(1)))
                        .get(0);
        assertEquals(4, trajectory.length());
        assertEquals(
                new EpisodeEnd.Terminated(EpisodeEnd.Reason.STEP_LIMIT, 0, false),
                trajectory.end());
        assertInstanceOf(ActionFeedback.Invalid.class, trajectory.turns().get(0).feedback());
    }

    @Test
    void renderingIsAppendOnlyWithinASegment() {
        Trajectory trajectory =
                SimpleRollouts.of(environment)
                        .collect(
                                ScriptedPolicy.sequence("right", "left", "right", "open"),
                                RolloutPlan.of(List.of(task), 1, RandomSource.of(1)))
                        .get(0);
        ToyRenderer renderer = ToyRenderer.of(environment.mdp().tokenizer(), 3);
        List<RenderedSegment> segments = renderer.trajectory(trajectory);
        assertEquals(2, segments.size());
        List<State> states = trajectory.states();
        for (RenderedSegment segment : segments) {
            for (RenderedSegment.Reply reply : segment.replies()) {
                assertArrayEquals(
                        Arrays.copyOf(segment.tokens(), reply.start()),
                        renderer.state(states.get(reply.turn())));
                assertArrayEquals(
                        Arrays.copyOfRange(segment.tokens(), reply.start(), reply.end()),
                        renderer.reply(trajectory.turns().get(reply.turn()).decision()));
            }
        }
    }

    @Test
    void faultsStrikeWhereTheyWereAskedFor() {
        FaultyEnvironment throwing = FaultyEnvironment.throwing(environment, task::equals, 1);
        try (Session session = throwing.open()) {
            session.reset(task, 1);
            session.step(Action.text("right"));
            assertThrows(TestkitException.class, () -> session.step(Action.text("left")));
        }
        try (Session session =
                FaultyEnvironment.overflowing(environment, task::equals, -1).open()) {
            assertThrows(StackOverflowError.class, () -> session.reset(task, 1));
        }
        try (Session session = FaultyEnvironment.withoutCapabilities(environment).open()) {
            session.reset(task, 1);
            assertThrows(UnsupportedOperationException.class, session::fork);
            assertFalse(session.step(Action.text("right")).end().isPresent());
        }
    }
}
