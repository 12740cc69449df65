package io.agentprm.cli.web;

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
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An environment whose every text would be markup, and which remembers what is done with it. */
final class OddEnvironment implements Environment {
    static final String ODD = "<script>alert(1)</script>\"'&amp;</title></style>\r\nend";

    final List<String> done = new CopyOnWriteArrayList<>();
    final AtomicInteger open = new AtomicInteger();

    @Override
    public EnvironmentInfo info() {
        return EnvironmentInfo.of("odd " + ODD, "1", "none", 0);
    }

    @Override
    public List<String> splits() {
        return List.of("all " + ODD);
    }

    @Override
    public List<Task> tasks(String split) {
        return List.of(Task.of("0 " + ODD, split, ODD), Task.of("1", split, ODD));
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    public Session open() {
        open.incrementAndGet();
        return new Session() {
            @Override
            public EpisodeStart reset(Task task, long seed) {
                return EpisodeStart.of("Do " + ODD, seen());
            }

            @Override
            public StepResult step(Action action) {
                done.add(action.text());
                return switch (action.text()) {
                    case "break" -> throw new IllegalStateException("broken " + ODD);
                    case "end" ->
                            StepResult.terminated(
                                    seen(),
                                    1,
                                    new ActionFeedback.Valid(),
                                    new EpisodeEnd.Terminated(EpisodeEnd.Reason.GOAL, 1, true));
                    default ->
                            StepResult.running(seen(), 0, new ActionFeedback.Invalid("no " + ODD));
                };
            }

            @Override
            public void close() {
                open.decrementAndGet();
            }
        };
    }

    private static Observation seen() {
        return Observation.text("See " + ODD).withAdmissibleActions(List.of(ODD, "break", "end"));
    }

    @Override
    public void close() {}
}
