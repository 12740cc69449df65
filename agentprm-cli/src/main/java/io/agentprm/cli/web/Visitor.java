package io.agentprm.cli.web;

import io.agentprm.api.AgentPrmException;
import io.agentprm.cli.game.Advice;
import io.agentprm.cli.game.Attempt;
import io.agentprm.cli.game.Playground;
import io.agentprm.cli.game.TaskChoice;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Somebody's browser, with the episode that is played there. Does one thing at a time. */
final class Visitor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Visitor.class);

    private final Playground playground;
    private final String token;
    private TaskChoice choice;
    private Optional<Attempt> attempt = Optional.empty();
    private Optional<Advice> advice = Optional.empty();
    private Optional<String> note = Optional.empty();
    private int stamp;
    private volatile boolean used;
    private boolean closed;

    /**
     * Lets somebody in.
     *
     * @param token what every form of this visitor must bring along
     */
    Visitor(Playground playground, String token) {
        this.playground = playground;
        this.token = token;
        this.choice = playground.first();
    }

    /** Whether a form comes from a page of this visitor. */
    boolean sent(Form form) {
        // In constant time, so that the time does not tell how much of a guess is right.
        return MessageDigest.isEqual(
                token.getBytes(StandardCharsets.UTF_8),
                form.text("token").orElse("").getBytes(StandardCharsets.UTF_8));
    }

    /** Whether nothing was done here yet. Does not wait for what is being done. */
    boolean isNew() {
        return !used;
    }

    /** The page as it is now; the first one starts the episode. */
    synchronized String page() {
        if (attempt.isEmpty() && note.isEmpty() && !closed) {
            begin(choice);
        }
        PlayPage page = new PlayPage(playground, choice, token, stamp, note);
        if (attempt.isEmpty()) {
            return page.empty();
        }
        if (advice.isEmpty()) {
            advice = Optional.of(advise(attempt.get()));
        }
        return page.of(attempt.get(), advice.get());
    }

    private Advice advise(Attempt now) {
        return now.finished().isPresent()
                ? new Advice(List.of(), Optional.empty(), Optional.empty())
                : playground.advisers().on(now.state(), now.id());
    }

    /** Does what a form of this visitor's page asks for. */
    synchronized void act(Form form) {
        if (isStale(form)) {
            return;
        }
        Optional<String> action = action(form);
        if (action.isEmpty() || attempt.isEmpty() || attempt.get().finished().isPresent()) {
            note = Optional.of("There was nothing to do.");
            return;
        }
        changed();
        Attempt now = attempt.get();
        try {
            now.act(action.get());
        } catch (RuntimeException e) {
            leave();
            note = Optional.of(failure("The environment failed, and the episode is lost: ", e));
            return;
        }
        now.finished()
                .ifPresent(
                        finished -> {
                            playground.advisers().release(now.id());
                            try {
                                playground.recorder().record(finished);
                            } catch (AgentPrmException e) {
                                note =
                                        Optional.of(
                                                "The episode is kept, and written with the next: "
                                                        + e.getMessage());
                            }
                        });
    }

    private Optional<String> action(Form form) {
        OptionalInt number = form.number(Buttons.FIELD);
        if (number.isPresent()) {
            return advice.filter(a -> number.getAsInt() < a.choices().size())
                    .map(a -> a.choices().get(number.getAsInt()).action());
        }
        return form.text(ShopView.WORDS)
                .map(String::strip)
                .filter(words -> !words.isEmpty())
                .map(ShopView::search)
                .or(() -> form.text("action").map(String::strip).filter(a -> !a.isEmpty()));
    }

    /** Takes the task that a form asks for; what is played now is dropped. */
    synchronized void take(Form form) {
        if (isStale(form)) {
            return;
        }
        try {
            TaskChoice wanted = wanted(form);
            changed();
            leave();
            begin(wanted);
        } catch (AgentPrmException e) {
            note = Optional.of(e.getMessage());
        }
    }

    private TaskChoice wanted(Form form) {
        return switch (form.text("go").orElse("")) {
            case "next" -> choice.next(playground.environment());
            case "to" ->
                    TaskChoice.of(
                            playground.environment(),
                            form.text("split"),
                            form.text("name").orElse("").strip());
            default -> choice;
        };
    }

    private boolean isStale(Form form) {
        boolean stale = !form.number("stamp").equals(OptionalInt.of(stamp));
        if (stale) {
            note =
                    Optional.of(
                            "That page was out of date, and nothing was done; this is the newest.");
        }
        return stale;
    }

    private void changed() {
        stamp++;
        used = true;
        advice = Optional.empty();
        note = Optional.empty();
    }

    private void begin(TaskChoice wanted) {
        choice = wanted;
        try {
            attempt = Optional.of(playground.start(wanted));
        } catch (RuntimeException e) {
            note = Optional.of(failure("The environment cannot start this task: ", e));
        }
    }

    /** Environments are plugins: what one throws ends its episode, not the server. */
    private static String failure(String what, RuntimeException e) {
        if (!(e instanceof AgentPrmException)) {
            LOG.warn("an environment failed", e);
        }
        return what + (e instanceof AgentPrmException ? e.getMessage() : e.toString());
    }

    private void leave() {
        attempt.ifPresent(
                left -> {
                    playground.advisers().release(left.id());
                    left.close();
                });
        attempt = Optional.empty();
    }

    @Override
    public synchronized void close() {
        closed = true;
        leave();
    }
}
