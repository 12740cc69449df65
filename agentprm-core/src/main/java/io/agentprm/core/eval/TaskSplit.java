package io.agentprm.core.eval;

import io.agentprm.api.run.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Divides data into training and test by task, never by row: all episodes and turns of a task fall
 * on one side. The side depends on the seed and the task's id only, not on the order of the data or
 * on what else there is.
 */
public final class TaskSplit {
    /** The two sides, each in the order of the data. */
    public record Sides<T>(List<T> train, List<T> test) {
        public Sides {
            train = List.copyOf(train);
            test = List.copyOf(test);
        }
    }

    private final double testShare;
    private final RandomSource random;

    /**
     * Makes a split.
     *
     * @param testShare expected share of tasks on the test side, in [0, 1]
     */
    public TaskSplit(double testShare, RandomSource random) {
        if (!(testShare >= 0 && testShare <= 1)) {
            throw new IllegalArgumentException(
                    "the share of test tasks lies in [0, 1], not " + testShare);
        }
        this.testShare = testShare;
        this.random = random;
    }

    /** True if the task is on the test side. */
    public boolean isTest(String taskId) {
        return random.derive(taskId).generator().nextDouble() < testShare;
    }

    /** Divides data. */
    public <T> Sides<T> divide(List<T> data, Function<T, String> taskId) {
        List<T> train = new ArrayList<>();
        List<T> test = new ArrayList<>();
        for (T item : data) {
            (isTest(taskId.apply(item)) ? test : train).add(item);
        }
        return new Sides<>(train, test);
    }
}
