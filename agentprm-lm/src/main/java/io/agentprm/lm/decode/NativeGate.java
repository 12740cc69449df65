package io.agentprm.lm.decode;

import io.agentprm.api.run.CancelledException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * Lets native calls pass until the process ends. A JVM that halts while libtorch computes takes the
 * memory from under it and dies with a crash log. So a shutdown hook waits until native calls have
 * been quiet for a while (long enough for a run that is winding down to write its checkpoint) and
 * then shuts the gate for good.
 */
public final class NativeGate {
    private static final long QUIET_MILLIS = 500;
    private static final long PATIENCE_MILLIS = 60_000;

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final AtomicLong lastExit = new AtomicLong(System.nanoTime() - 1_000_000_000L);
    private volatile boolean shut;

    private final AtomicBoolean installed = new AtomicBoolean();

    /**
     * Registers the shutdown hook, once.
     *
     * @throws CancelledException if the process is shutting down already
     */
    public void install() {
        if (installed.compareAndSet(false, true)) {
            try {
                Runtime.getRuntime()
                        .addShutdownHook(new Thread(this::shut, "agentprm-native-gate"));
            } catch (IllegalStateException e) {
                throw new CancelledException("the process is shutting down");
            }
        }
    }

    /**
     * Runs native work.
     *
     * @throws CancelledException if the process is shutting down
     */
    public <T> T pass(Supplier<T> work) {
        lock.readLock().lock();
        try {
            if (shut) {
                throw new CancelledException("the process is shutting down");
            }
            return work.get();
        } finally {
            lastExit.set(System.nanoTime());
            lock.readLock().unlock();
        }
    }

    private void shut() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        try {
            while (System.nanoTime() < deadline && !quiet()) {
                Thread.sleep(20);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lock.writeLock().lock();
        shut = true;
        lock.writeLock().unlock();
    }

    private boolean quiet() {
        long idle = System.nanoTime() - lastExit.get();
        return lock.getReadLockCount() == 0 && idle > TimeUnit.MILLISECONDS.toNanos(QUIET_MILLIS);
    }
}
