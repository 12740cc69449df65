package io.agentprm.env.alfworld.check;

import io.agentprm.env.alfworld.engine.GameSession;
import java.util.List;

/** One slot of the upstream batch interface: after the end it repeats its last answer. */
final class BatchSlot {
    /** What the batch interface answers. */
    record Tuple(
            String observation, double score, boolean done, boolean won, List<String> admissible) {}

    private final GameSession session;
    private final int limit;
    private int steps;
    private Tuple last;

    BatchSlot(GameSession session, int limit) {
        this.session = session;
        this.limit = limit;
        this.last = reset();
    }

    final Tuple reset() {
        String observation = session.reset();
        steps = 0;
        last = new Tuple(observation, 0, false, session.won(), session.admissible());
        return last;
    }

    Tuple step(String command) {
        if (!last.done()) {
            String observation = session.step(command);
            steps++;
            boolean won = session.won();
            last =
                    new Tuple(
                            observation,
                            won ? 1 : 0,
                            won || steps >= limit,
                            won,
                            session.admissible());
        }
        return last;
    }
}
