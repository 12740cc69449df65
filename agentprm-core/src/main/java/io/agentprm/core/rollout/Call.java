package io.agentprm.core.rollout;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One call of an environment: either its caller takes the result, or the caller gives up and the
 * result, if it ever comes, is discarded. Never both.
 *
 * @param <T> result
 */
final class Call<T> implements Runnable {
    private enum Fate {
        OPEN,
        FINISHED,
        ABANDONED
    }

    /** What came of a call; exactly one of value and failure is present. */
    record Outcome<T>(Optional<T> value, Optional<Throwable> failure) {}

    private final Callable<T> work;
    private final Runnable whenLate;
    private final AtomicReference<Fate> fate = new AtomicReference<>(Fate.OPEN);
    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile Outcome<T> outcome = new Outcome<>(Optional.empty(), Optional.empty());
    private volatile Optional<Thread> runner = Optional.empty();

    /**
     * Makes a call.
     *
     * @param work what to do
     * @param whenLate run on the working thread if the work ends after it was abandoned
     */
    Call(Callable<T> work, Runnable whenLate) {
        this.work = work;
        this.whenLate = whenLate;
    }

    @Override
    public void run() {
        runner = Optional.of(Thread.currentThread());
        try {
            outcome = new Outcome<>(Optional.of(work.call()), Optional.empty());
        } catch (Throwable e) {
            // An environment may die in any way, StackOverflowError and LinkageError included.
            outcome = new Outcome<>(Optional.empty(), Optional.of(e));
        }
        if (fate.compareAndSet(Fate.OPEN, Fate.FINISHED)) {
            finished.countDown();
        } else {
            whenLate.run();
        }
    }

    /**
     * Waits until the work is done; empty if that takes longer, and then nobody gets the result.
     */
    Optional<Outcome<T>> await(long nanos) throws InterruptedException {
        boolean inTime =
                finished.await(Math.max(0, nanos), java.util.concurrent.TimeUnit.NANOSECONDS);
        if (!inTime && fate.compareAndSet(Fate.OPEN, Fate.ABANDONED)) {
            runner.ifPresent(Thread::interrupt);
            return Optional.empty();
        }
        finished.await();
        return Optional.of(outcome);
    }
}
