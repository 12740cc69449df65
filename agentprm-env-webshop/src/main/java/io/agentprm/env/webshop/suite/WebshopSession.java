package io.agentprm.env.webshop.suite;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RandomSource;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.expert.SearchWords;
import io.agentprm.env.webshop.shop.Answer;
import io.agentprm.env.webshop.shop.ShopPage;
import io.agentprm.env.webshop.shop.Visit;
import java.util.Optional;

/**
 * One seat. The seed matters only for the search {@code <r>}, which shows products at random. On
 * the start page no admissible actions are listed unless searches are suggested: the words are the
 * agent's own.
 */
public final class WebshopSession implements Session {
    private static final ActionFeedback VALID = new ActionFeedback.Valid();
    private static final EpisodeEnd.Terminated STEP_LIMIT =
            new EpisodeEnd.Terminated(EpisodeEnd.Reason.STEP_LIMIT, 0, false);

    private final Loaded loaded;
    private final WebshopConfig config;
    private Optional<Visit> visit = Optional.empty();

    /** The visit, also after its end. */
    private Optional<Visit> seen = Optional.empty();

    private int steps;

    WebshopSession(Loaded loaded, WebshopConfig config) {
        this.loaded = loaded;
        this.config = config;
    }

    @Override
    public EpisodeStart reset(Task task, long seed) {
        Visit fresh =
                new Visit(
                        loaded.shop(),
                        loaded.goals().goal(task.id()),
                        "session",
                        RandomSource.of(seed).derive(task.id()));
        visit = Optional.of(fresh);
        seen = visit;
        steps = 0;
        return EpisodeStart.of(fresh.goal().instruction(), observation(fresh));
    }

    @Override
    public StepResult step(Action action) {
        Visit current =
                visit.orElseThrow(
                        () ->
                                new WebshopException(
                                        "no episode is running; call reset first and stop stepping"
                                                + " when a result has an end"));
        Answer answer = current.act(action.text());
        Observation observation = observation(current);
        steps++;
        if (answer instanceof Answer.Bought bought) {
            visit = Optional.empty();
            double reward = bought.reward().total();
            return StepResult.terminated(observation, reward, VALID, end(reward));
        }
        ActionFeedback feedback =
                answer instanceof Answer.Refused refused
                        ? new ActionFeedback.Invalid(refused.reason())
                        : VALID;
        if (steps >= config.stepLimit()) {
            visit = Optional.empty();
            return StepResult.terminated(observation, 0, feedback, STEP_LIMIT);
        }
        return StepResult.running(observation, 0, feedback);
    }

    /** The page that was last seen, the one after a purchase included; empty before a reset. */
    public Optional<ShopPage> page() {
        return seen.map(Visit::page);
    }

    /** A success is a reward of exactly 1. */
    static EpisodeEnd.Terminated end(double reward) {
        boolean success = reward == 1;
        return new EpisodeEnd.Terminated(
                success ? EpisodeEnd.Reason.GOAL : EpisodeEnd.Reason.FAILURE, reward, success);
    }

    private Observation observation(Visit current) {
        Observation seen = Observation.text(current.observation(config.observations()));
        if (!current.hasSearchBar()) {
            return seen.withAdmissibleActions(current.clicks());
        }
        return config.suggestedSearches() == 0
                ? seen
                : seen.withAdmissibleActions(
                        SearchWords.suggestions(
                                current.goal().instruction(), config.suggestedSearches()));
    }

    @Override
    public Session fork() {
        WebshopSession copy = new WebshopSession(loaded, config);
        copy.visit = visit.map(Visit::copy);
        copy.seen = visit.isPresent() ? copy.visit : seen;
        copy.steps = steps;
        return copy;
    }

    @Override
    public void close() {
        visit = Optional.empty();
        seen = Optional.empty();
    }
}
