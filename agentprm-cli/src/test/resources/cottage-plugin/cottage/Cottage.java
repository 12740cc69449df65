package cottage;

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
import java.util.stream.IntStream;

/** Two rooms: left leads to the kitchen, whose cupboard holds what is wanted; four steps. */
final class Cottage implements Environment {
    private static final int STEPS = 4;
    private static final List<String> ACTIONS = List.of("left", "right", "open");

    private final int tasks;

    Cottage(int tasks) {
        this.tasks = tasks;
    }

    @Override
    public EnvironmentInfo info() {
        return EnvironmentInfo.of("cottage", "1", "cottage-" + tasks, STEPS);
    }

    @Override
    public List<String> splits() {
        return List.of("train", "valid");
    }

    @Override
    public List<Task> tasks(String split) {
        return IntStream.range(0, tasks)
                .mapToObj(i -> Task.of(split + "-" + i, split, "fetch"))
                .toList();
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.REPLAYABLE);
    }

    @Override
    public Session open() {
        return new Session() {
            private String room = "hall";
            private int steps;

            @Override
            public EpisodeStart reset(Task task, long seed) {
                room = "hall";
                steps = 0;
                return EpisodeStart.of("fetch", seen());
            }

            @Override
            public StepResult step(Action action) {
                steps++;
                if (action.text().equals("open")) {
                    boolean found = room.equals("kitchen");
                    return end(
                            found ? EpisodeEnd.Reason.GOAL : EpisodeEnd.Reason.FAILURE,
                            found ? 1 : 0);
                }
                if (steps == STEPS) {
                    return end(EpisodeEnd.Reason.STEP_LIMIT, 0);
                }
                room = room.equals("hall") && action.text().equals("left") ? "kitchen" : "hall";
                return StepResult.running(
                        seen(),
                        0,
                        ACTIONS.contains(action.text())
                                ? new ActionFeedback.Valid()
                                : new ActionFeedback.Invalid("nothing happens"));
            }

            private StepResult end(EpisodeEnd.Reason reason, double outcome) {
                return StepResult.terminated(
                        Observation.text("over"),
                        outcome,
                        new ActionFeedback.Valid(),
                        new EpisodeEnd.Terminated(reason, outcome, outcome == 1));
            }

            private Observation seen() {
                return Observation.text(room).withAdmissibleActions(ACTIONS);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {}
}
