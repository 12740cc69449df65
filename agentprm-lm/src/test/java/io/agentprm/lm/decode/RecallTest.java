package io.agentprm.lm.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RecallTest {
    private static final int[] TASK = {1, 10, 20, 30, 20, 40};
    private static final Recall RECALL = new Recall(Recall.NOTHING);

    @Test
    void aTokenRecallsWhatStoodBeforeItsFirstOccurrence() {
        assertEquals(10, RECALL.of(TASK, 6, 20));
        assertEquals(1, RECALL.of(TASK, 6, 10));
    }

    @Test
    void newTokensRecallNothing() {
        assertEquals(Recall.NOTHING, RECALL.of(TASK, 6, 50));
        assertEquals(Recall.NOTHING, RECALL.of(TASK, 2, 20), "only what came before counts");
        assertEquals(Recall.NOTHING, RECALL.of(TASK, 6, 1), "nothing stands before the first");
    }

    @Test
    void aReplyContinuesItsPrompt() {
        int[] reply = {50, 60, 20};
        assertEquals(10, RECALL.of(TASK, reply, 2, 20), "the prompt comes first");
        assertEquals(40, RECALL.of(TASK, reply, 3, 50), "the last of the prompt precedes it");
        assertEquals(50, RECALL.of(TASK, reply, 3, 60));
        assertEquals(Recall.NOTHING, RECALL.of(TASK, reply, 1, 60));
    }

    @Test
    void nothingIsRememberedFromTheEndOfTheTaskOn() {
        Recall ofTask = new Recall(9);
        int[] sequence = {1, 10, 20, 9, 30, 20, 9, 30};
        assertEquals(10, ofTask.of(sequence, 5, 20));
        assertEquals(Recall.NOTHING, ofTask.of(sequence, 7, 30), "came up first after the end");
        assertEquals(Recall.NOTHING, ofTask.of(sequence, 6, 9));
        assertEquals(Recall.NOTHING, ofTask.of(sequence, new int[] {30, 40}, 2, 40));
        assertEquals(20, ofTask.of(new int[] {1, 20}, new int[] {30, 9, 40}, 3, 30));
        assertEquals(Recall.NOTHING, ofTask.of(new int[] {1, 20}, new int[] {30, 9, 40}, 3, 40));
    }
}
