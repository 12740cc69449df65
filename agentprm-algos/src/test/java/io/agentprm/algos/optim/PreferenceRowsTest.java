package io.agentprm.algos.optim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.agentprm.algos.loss.DpoLoss;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.SampledTokens;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.testkit.ScriptedPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreferenceRowsTest {
    private final ToySetup toy = ToySetup.house();
    private final List<Trajectory> states = toy.rollouts(ScriptedPolicy.random(), 3, 1);
    private final Prompt first = new Prompt(0, 0);
    private final Prompt second = new Prompt(1, 0);

    private PreferenceRows rows(double anchorWeight) {
        return new PreferenceRows(
                new ReplyForest(toy.policy("pi", toy.model()).renderer(), states), anchorWeight);
    }

    private static Reply reply(int token, int count, double score) {
        return new Reply(
                Decision.of("any"),
                SampledTokens.of(new int[] {token}, new double[] {-1}, 1),
                count,
                true,
                score);
    }

    private static void addPair(PreferenceRows rows, Prompt prompt) {
        List<Reply> replies = List.of(reply(3, 1, 0), reply(4, 2, 5));
        rows.add(
                prompt,
                replies,
                PairChoice.of(replies, 1),
                List.of(new double[] {-3}, new double[] {-4}));
    }

    private static void addTie(PreferenceRows rows, Prompt prompt) {
        List<Reply> replies = List.of(reply(3, 3, 1), reply(4, 1, 1));
        rows.add(
                prompt,
                replies,
                PairChoice.of(replies, 1),
                List.of(new double[] {-3}, new double[] {-4}));
    }

    @Test
    void aPairIsTheBestBeforeTheWorstWithTheirReferences() {
        PreferenceRows rows = rows(0);
        addPair(rows, first);

        TrainingRow row = rows.rows().get(0);
        assertArrayEquals(new int[] {4}, row.tree().segments().get(1).tokens());
        assertArrayEquals(new int[] {3}, row.tree().segments().get(2).tokens());
        assertArrayEquals(new double[] {-4}, row.values(TrainingRow.REFERENCE_LOG_PROB, 1));
        assertArrayEquals(new double[] {-3}, row.values(TrainingRow.REFERENCE_LOG_PROB, 2));
        assertFalse(row.has(DpoLoss.ANCHOR, 1));
    }

    @Test
    void promptsWithoutAPairAreLeftOutUnlessAsked() {
        PreferenceRows rows = rows(0);
        addPair(rows, first);
        addTie(rows, second);

        assertEquals(1, rows.rows().size());
    }

    @Test
    void anchorsOfAPromptWeighAsOftenAsTheyWereSampledAndTogetherAsMuchAsAsked() {
        PreferenceRows rows = rows(0.5);
        addPair(rows, first);
        addTie(rows, second);
        addTie(rows, new Prompt(2, 0));

        assertEquals(1, rows.pairs());
        for (TrainingRow anchors : rows.rows().subList(1, 3)) {
            assertEquals(0.1875, anchors.values(DpoLoss.ANCHOR, 1)[0], 1e-12);
            assertEquals(0.0625, anchors.values(DpoLoss.ANCHOR, 2)[0], 1e-12);
        }
    }
}
