package io.agentprm.cli.game;

import io.agentprm.api.env.Environment;
import io.agentprm.api.env.Task;
import io.agentprm.core.RunException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A task by its place.
 *
 * @param split that it is of
 * @param number in the split, from 0
 * @param of number of tasks of the split, 1 or more
 */
public record TaskChoice(String split, int number, int of, Task task) {
    /**
     * Finds a task.
     *
     * @param split the environment's first if empty
     * @param name number in the split, or id
     * @throws RunException if there is no such task; other errors are the environment's
     */
    public static TaskChoice of(Environment environment, Optional<String> split, String name) {
        String from = split.orElseGet(() -> environment.splits().get(0));
        List<Task> tasks = environment.tasks(from);
        if (name.matches("[0-9]{1,9}") && Integer.parseInt(name) < tasks.size()) {
            return at(tasks, from, Integer.parseInt(name));
        }
        int found =
                IntStream.range(0, tasks.size())
                        .filter(i -> tasks.get(i).id().equals(name))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new RunException(
                                                "there is no task '"
                                                        + name
                                                        + "' in split "
                                                        + from
                                                        + ", which has "
                                                        + tasks.size()
                                                        + " tasks, such as "
                                                        + tasks.stream()
                                                                .limit(3)
                                                                .map(Task::id)
                                                                .toList()));
        return at(tasks, from, found);
    }

    private static TaskChoice at(List<Task> tasks, String split, int number) {
        return new TaskChoice(split, number, tasks.size(), tasks.get(number));
    }

    /** The next task of the split; the first after the last. */
    public TaskChoice next(Environment environment) {
        return at(environment.tasks(split), split, (number + 1) % of);
    }
}
