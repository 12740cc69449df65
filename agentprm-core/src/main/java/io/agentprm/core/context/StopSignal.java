package io.agentprm.core.context;

import io.agentprm.api.run.Cancellation;
import io.agentprm.api.run.CancelledException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A flag that asks the run to stop at its next safe point, raised by SIGINT, SIGTERM or code.
 * Thread-safe.
 */
public final class StopSignal implements Cancellation {
    private final CountDownLatch request = new CountDownLatch(1);

    @Override
    public boolean requested() {
        return request.getCount() == 0;
    }

    /** Asks for a stop. */
    public void request() {
        request.countDown();
    }

    /** Waits until a stop is asked for; an interruption of the thread asks for one. */
    public void await() {
        try {
            request.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            request();
        }
    }

    /** While it is open, the end of the JVM waits for the work. */
    public interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Watches for the end of the JVM, which SIGINT and SIGTERM bring about: it then asks for a stop
     * and holds the JVM until the watch is closed, so that the working thread ends at a safe point,
     * with its checkpoint written and its native memory released.
     *
     * @param longest longest time that the JVM is held
     * @throws CancelledException if the end of the JVM has begun already
     */
    public Watch watch(Duration longest) {
        return watch(longest, Duration.ZERO);
    }

    /**
     * Like {@link #watch(Duration)}, for a program that ends with a code of its own: by the
     * signal's rules the JVM ends with 128 and the signal's number, unless {@link Runtime#halt}
     * comes first.
     *
     * @param grace how much longer the JVM is held after the watch is closed, so that the program
     *     can say its last words and halt
     * @throws CancelledException if the end of the JVM has begun already
     */
    public Watch watch(Duration longest, Duration grace) {
        CountDownLatch done = new CountDownLatch(1);
        Thread hook =
                new Thread(
                        () -> {
                            request();
                            awaitQuietly(done, longest);
                            awaitQuietly(new CountDownLatch(1), grace);
                        },
                        "agentprm-stop");
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            request();
            throw new CancelledException("the process is shutting down");
        }
        return () -> {
            done.countDown();
            removeQuietly(hook);
        };
    }

    /** True once the end of the JVM has begun, when {@link System#exit} would wait for ever. */
    public static boolean jvmEnding() {
        Thread probe = new Thread(() -> {}, "agentprm-probe");
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    private static void awaitQuietly(CountDownLatch done, Duration longest) {
        try {
            done.await(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void removeQuietly(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending: the hook is at work and was just told to go on.
            return;
        }
    }
}
