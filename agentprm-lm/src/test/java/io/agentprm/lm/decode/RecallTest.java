package io.agentprm.lm.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RecallTest {
    private static final int[] TASK = {1, 10, 20, 30, 20, 40};

    @Test
    void aTokenRecallsWhatStoodBeforeItsFirstOccurrence() {
        assertEquals(10, Recall.of(TASK, 6, 20));
        assertEquals(1, Recall.of(TASK, 6, 10));
    }

    @Test
    void newTokensRecallNothing() {
        assertEquals(Recall.NOTHING, Recall.of(TASK, 6, 50));
        assertEquals(Recall.NOTHING, Recall.of(TASK, 2, 20), "only what came before counts");
        assertEquals(Recall.NOTHING, Recall.of(TASK, 6, 1), "nothing stands before the first");
    }

    @Test
    void aReplyContinuesItsPrompt() {
        int[] reply = {50, 60, 20};
        assertEquals(10, Recall.of(TASK, reply, 2, 20), "the prompt comes first");
        assertEquals(40, Recall.of(TASK, reply, 3, 50), "the last of the prompt precedes it");
        assertEquals(50, Recall.of(TASK, reply, 3, 60));
        assertEquals(Recall.NOTHING, Recall.of(TASK, reply, 1, 60));
    }
}
