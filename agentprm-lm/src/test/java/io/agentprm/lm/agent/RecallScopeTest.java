package io.agentprm.lm.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.agentprm.lm.agent.Architecture.RecallScope;
import io.agentprm.lm.checkpoint.Initialization;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RecallScopeTest {
    private static final int END_OF_TURN = 2;

    @Test
    void theTaskEndsWhereTheFirstReplyDoes() {
        assertEquals(OptionalInt.of(END_OF_TURN), until(true, RecallScope.TASK));
        assertEquals(OptionalInt.empty(), until(true, RecallScope.EVERYWHERE));
        assertEquals(OptionalInt.empty(), until(false, RecallScope.TASK), "nothing to hold back");
    }

    private static OptionalInt until(boolean recall, RecallScope scope) {
        return new Architecture(
                        32, 1, 2, 64, 64, 10_000, true, recall, scope, true, Initialization.FAN_IN)
                .config(100, 1, END_OF_TURN, 0)
                .recallUntil();
    }
}
