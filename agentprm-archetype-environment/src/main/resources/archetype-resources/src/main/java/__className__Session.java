package ${package};

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** One episode after another, in one thread. */
final class ${className}Session implements Session {
    private final ${className}Environment environment;
    private final ${className}Config config;
    private OptionalInt number = OptionalInt.empty();
    private int tries;

    ${className}Session(${className}Environment environment, ${className}Config config) {
        this.environment = environment;
        this.config = config;
    }

    /** Same task, seed and actions: same episode. Draw from the seed if there is chance in yours. */
    @Override
    public EpisodeStart reset(Task task, long seed) {
        number = OptionalInt.of(environment.number(task));
        tries = 0;
        return EpisodeStart.of("find the number", see("Which number is it?"));
    }

    @Override
    public StepResult step(Action action) {
        int wanted =
                number.orElseThrow(
                        () -> new ${className}Exception("no episode is running; call reset first"));
        tries++;
        int tried = 1 + actions().indexOf(action.text());
        if (tried == 0) {
            String text = "'" + action.text() + "' is no number from 1 to " + config.numbers();
            return after("That is no number.", new ActionFeedback.Invalid(text));
        }
        ActionFeedback valid = new ActionFeedback.Valid();
        if (tried == wanted) {
            return end("That is it.", valid, EpisodeEnd.Reason.GOAL);
        }
        return after(wanted > tried ? "It is higher." : "It is lower.", valid);
    }

    private StepResult after(String text, ActionFeedback feedback) {
        return tries < config.tries()
                ? StepResult.running(see(text), 0, feedback)
                : end(text, feedback, EpisodeEnd.Reason.STEP_LIMIT);
    }

    private StepResult end(String text, ActionFeedback feedback, EpisodeEnd.Reason reason) {
        number = OptionalInt.empty();
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
        return IntStream.rangeClosed(1, config.numbers()).mapToObj(Integer::toString).toList();
    }

    @Override
    public Session fork() {
        ${className}Session copy = new ${className}Session(environment, config);
        copy.number = number;
        copy.tries = tries;
        return copy;
    }

    @Override
    public void close() {
        number = OptionalInt.empty();
    }
}
