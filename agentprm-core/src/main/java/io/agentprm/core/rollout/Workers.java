package io.agentprm.core.rollout;

import io.agentprm.api.run.CancelledException;
import io.agentprm.core.RunException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * Threads for calls of environments. At most a given number of calls runs at a time, each with a
 * deadline from its start; a thread that hangs is given up and replaced.
 */
final class Workers implements AutoCloseable {
    /**
     * What came of a call.
     *
     * @param value result, unless it failed
     * @param failure why there is none; empty text if there is
     * @param hanging true if the call has not come back
     */
    record Answer<T>(Optional<T> value, String failure, boolean hanging) {}

    private static final List<String> OURS =
            List.of("java.", "jdk.", "io.agentprm.api.", "io.agentprm.core.");

    private final int parallel;
    private final Duration deadline;
    private final ExecutorService threads;

    Workers(int parallel, Duration deadline) {
        this.parallel = parallel;
        this.deadline = deadline;
        this.threads =
                Executors.newCachedThreadPool(
                        task -> {
                            Thread thread = new Thread(task, "agentprm-environment");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** Runs calls and returns their answers in the same order. */
    <T> List<Answer<T>> run(List<Call<T>> calls) {
        List<Answer<T>> answers = new ArrayList<>(calls.size());
        long[] startedAt = new long[calls.size()];
        int submitted = 0;
        for (int i = 0; i < calls.size(); i++) {
            // A cached pool starts at once what it is given, so the deadline runs from here.
            while (submitted < calls.size() && submitted < i + parallel) {
                startedAt[submitted] = System.nanoTime();
                threads.execute(calls.get(submitted++));
            }
            long left = deadline.toNanos() - (System.nanoTime() - startedAt[i]);
            answers.add(answer(calls.get(i), left));
        }
        return answers;
    }

    private <T> Answer<T> answer(Call<T> call, long nanos) {
        try {
            Optional<Call.Outcome<T>> outcome = call.await(nanos);
            if (outcome.isEmpty()) {
                return new Answer<>(
                        Optional.empty(), "no answer within " + deadline.toMillis() + " ms", true);
            }
            Optional<Throwable> failure = outcome.get().failure();
            if (failure.isPresent() && failure.get() instanceof OutOfMemoryError e) {
                throw new RunException(
                        "the environment ran out of memory: raise -Xmx or lower the batch", e);
            }
            return new Answer<>(
                    outcome.get().value(), failure.map(Workers::told).orElse(""), false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted while environments were working");
        }
    }

    /** What was thrown and, for its author, the line of the environment that it comes from. */
    private static String told(Throwable failure) {
        return Stream.of(failure.getStackTrace())
                .filter(frame -> OURS.stream().noneMatch(frame.getClassName()::startsWith))
                .findFirst()
                .map(
                        frame ->
                                failure
                                        + " at "
                                        + frame.getClassName()
                                        + "."
                                        + frame.getMethodName()
                                        + " ("
                                        + frame.getFileName()
                                        + ":"
                                        + frame.getLineNumber()
                                        + ")")
                .orElseGet(failure::toString);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
