package io.agentprm.core.rollout;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.Capability;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Episodes of a length that depends on the task; counts sessions and notices any that is closed
 * twice or used after its close.
 */
final class CountingEnvironment implements Environment {
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
    final AtomicInteger misused = new AtomicInteger();

    /** What a step does before it answers. */
    interface Trouble {
        void before(Task task, int turn);
    }

    private final Trouble trouble;
    private final int tasks;

    CountingEnvironment(int tasks, Trouble trouble) {
        this.tasks = tasks;
        this.trouble = trouble;
    }

    CountingEnvironment(int tasks) {
        this(tasks, (task, turn) -> {});
    }

    @Override
    public EnvironmentInfo info() {
        return EnvironmentInfo.of("counting", "1", "none", 9);
    }

    @Override
    public List<String> splits() {
        return List.of("train");
    }

    @Override
    public List<Task> tasks(String split) {
        List<Task> all = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            all.add(Task.of("t" + i, split, "c" + i % 2));
        }
        return all;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    public Session open() {
        opened.incrementAndGet();
        return new CountingSession();
    }

    @Override
    public void close() {}

    private final class CountingSession implements Session {
        private Task task = Task.of("", "", "");
        private int turn;
        private int length;
        private boolean open = true;

        @Override
        public EpisodeStart reset(Task next, long seed) {
            trouble.before(next, -1);
            use();
            task = next;
            turn = 0;
            length = 1 + Math.floorMod(next.id().hashCode(), 5);
            return EpisodeStart.of("count", Observation.text("seed " + seed));
        }

        @Override
        public StepResult step(Action action) {
            trouble.before(task, turn);
            use();
            turn++;
            Observation seen = Observation.text(turn + " after " + action.text());
            if (turn < length) {
                return StepResult.running(seen, 0, new ActionFeedback.Valid());
            }
            boolean won = Math.floorMod(action.text().hashCode(), 2) == 0;
            return StepResult.terminated(
                    seen,
                    won ? 1 : 0,
                    new ActionFeedback.Valid(),
                    new EpisodeEnd.Terminated(
                            won ? EpisodeEnd.Reason.GOAL : EpisodeEnd.Reason.FAILURE,
                            won ? 1 : 0,
                            won));
        }

        private void use() {
            if (!open) {
                misused.incrementAndGet();
            }
        }

        @Override
        public void close() {
            use();
            open = false;
            closed.incrementAndGet();
        }
    }
}
