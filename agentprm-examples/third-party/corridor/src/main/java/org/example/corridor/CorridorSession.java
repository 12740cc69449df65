package org.example.corridor;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One porter. There is no chance in it, so the seed changes nothing. */
final class CorridorSession implements Session {
    private static final int DESK = -1;

    private final CorridorEnvironment environment;
    private final CorridorConfig config;
    private Optional<Corridor> corridor = Optional.empty();
    private int place = DESK;
    private int steps;

    CorridorSession(CorridorEnvironment environment, CorridorConfig config) {
        this.environment = environment;
        this.config = config;
    }

    @Override
    public EpisodeStart reset(Task task, long seed) {
        corridor = Optional.of(environment.corridor(task));
        place = DESK;
        steps = 0;
        return EpisodeStart.of("deliver the parcel", see("You are at the desk with a note."));
    }

    @Override
    public StepResult step(Action action) {
        Corridor here =
                corridor.orElseThrow(
                        () -> new CorridorException("no episode is running; call reset first"));
        steps++;
        if (!actions().contains(action.text())) {
            return after(
                    see("That is not possible here."),
                    new ActionFeedback.Invalid("'" + action.text() + "' is not possible here"));
        }
        ActionFeedback valid = new ActionFeedback.Valid();
        switch (action.text()) {
            case "read note" -> {
                return after(see("The note says " + here.right() + "."), valid);
            }
            case "open door" -> {
                boolean right = here.doors().get(place).equals(here.right());
                return right
                        ? end("The guest is glad.", valid, EpisodeEnd.Reason.GOAL)
                        : end("The wrong guest.", valid, EpisodeEnd.Reason.FAILURE);
            }
            default -> {
                place += action.text().equals("go on") ? 1 : -1;
                return after(
                        see(place == DESK ? "You are at the desk." : door(here)), valid);
            }
        }
    }

    private String door(Corridor here) {
        return "You are at a " + here.doors().get(place) + " door.";
    }

    private StepResult after(Observation observation, ActionFeedback feedback) {
        return steps < config.stepLimit()
                ? StepResult.running(observation, 0, feedback)
                : end("It is too late.", feedback, EpisodeEnd.Reason.STEP_LIMIT);
    }

    private StepResult end(String text, ActionFeedback feedback, EpisodeEnd.Reason reason) {
        corridor = Optional.empty();
        boolean success = reason == EpisodeEnd.Reason.GOAL;
        double outcome = success ? 1 : 0;
        return StepResult.terminated(
                Observation.text(text),
                outcome,
                feedback,
                new EpisodeEnd.Terminated(reason, outcome, success));
    }

    private Observation see(String text) {
        return Observation.text(text).withAdmissibleActions(actions());
    }

    private List<String> actions() {
        List<String> actions = new ArrayList<>();
        actions.add(place == DESK ? "read note" : "open door");
        if (place < config.doors() - 1) {
            actions.add("go on");
        }
        if (place > DESK) {
            actions.add("go back");
        }
        return actions;
    }

    @Override
    public Session fork() {
        CorridorSession copy = new CorridorSession(environment, config);
        copy.corridor = corridor;
        copy.place = place;
        copy.steps = steps;
        return copy;
    }

    @Override
    public void close() {
        corridor = Optional.empty();
    }
}
