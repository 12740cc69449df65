package io.agentprm.testkit;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.Capability;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/**
 * An environment around another one that fails on purpose: for the tasks chosen, before a turn.
 * Turn -1 means the reset. It can also hide what the other one can do.
 */
public final class FaultyEnvironment implements Environment {
    /** What happens instead of a step. */
    @FunctionalInterface
    private interface Fault {
        void strike() throws InterruptedException;
    }

    private final Environment inner;
    private final Predicate<Task> victims;
    private final int turn;
    private final Optional<Fault> fault;
    private final Set<Capability> capabilities;

    private FaultyEnvironment(
            Environment inner,
            Predicate<Task> victims,
            int turn,
            Optional<Fault> fault,
            Set<Capability> capabilities) {
        this.inner = inner;
        this.victims = victims;
        this.turn = turn;
        this.fault = fault;
        this.capabilities = capabilities;
    }

    /** Never returns from the step (until its thread is interrupted). */
    public static FaultyEnvironment hanging(Environment inner, Predicate<Task> victims, int turn) {
        return new FaultyEnvironment(
                inner,
                victims,
                turn,
                Optional.of(() -> new CountDownLatch(1).await()),
                inner.capabilities());
    }

    /** Throws an exception of its own. */
    public static FaultyEnvironment throwing(Environment inner, Predicate<Task> victims, int turn) {
        return new FaultyEnvironment(
                inner,
                victims,
                turn,
                Optional.of(
                        () -> {
                            throw new TestkitException("this environment fails on purpose");
                        }),
                inner.capabilities());
    }

    /** Overflows the stack, as runaway native or recursive code does. */
    public static FaultyEnvironment overflowing(
            Environment inner, Predicate<Task> victims, int turn) {
        return new FaultyEnvironment(
                inner,
                victims,
                turn,
                Optional.of(
                        () -> {
                            throw new StackOverflowError("on purpose");
                        }),
                inner.capabilities());
    }

    /** Works, but neither forks nor replays. */
    public static FaultyEnvironment withoutCapabilities(Environment inner) {
        return new FaultyEnvironment(inner, task -> false, 0, Optional.empty(), Set.of());
    }

    @Override
    public EnvironmentInfo info() {
        return inner.info();
    }

    @Override
    public List<String> splits() {
        return inner.splits();
    }

    @Override
    public List<Task> tasks(String split) {
        return inner.tasks(split);
    }

    @Override
    public Set<Capability> capabilities() {
        return capabilities;
    }

    @Override
    public Session open() {
        return new FaultySession(inner.open());
    }

    @Override
    public void close() {
        inner.close();
    }

    private void strike() {
        if (fault.isPresent()) {
            try {
                fault.get().strike();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TestkitException("interrupted while hanging on purpose", e);
            }
        }
    }

    private final class FaultySession implements Session {
        private final Session seat;
        private boolean victim;
        private int turns;

        private FaultySession(Session seat) {
            this.seat = seat;
        }

        @Override
        public EpisodeStart reset(Task task, long seed) {
            victim = victims.test(task);
            turns = 0;
            if (victim && turn < 0) {
                strike();
            }
            return seat.reset(task, seed);
        }

        @Override
        public StepResult step(Action action) {
            if (victim && turns == turn) {
                strike();
            }
            turns++;
            return seat.step(action);
        }

        @Override
        public Session fork() {
            return capabilities.contains(Capability.FORKABLE) ? seat.fork() : Session.super.fork();
        }

        @Override
        public void close() {
            seat.close();
        }
    }
}
