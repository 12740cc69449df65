package io.agentprm.core.pipeline;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RandomSource;
import io.agentprm.core.RunException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random choices of tasks, and the streams that evaluations of a seed have in common. */
final class TaskDraw {
    private TaskDraw() {}

    /** The stream that the tasks of an evaluation are drawn from. */
    static RandomSource evaluation(RandomSource run) {
        return run.derive("evaluation").derive("tasks");
    }

    /** The stream of an evaluation's episodes. */
    static RandomSource evaluationEpisodes(RandomSource run) {
        return run.derive("evaluation").derive("episodes");
    }

    /** A random choice of tasks, in the environment's order; all of them for 0. */
    static List<Task> of(Environment environment, String split, int number, RandomSource stream) {
        List<Task> all = listed(environment, split);
        if (all.isEmpty()) {
            throw new RunException("split '" + split + "' of the environment has no tasks");
        }
        if (number == 0 || number == all.size()) {
            return all;
        }
        if (number > all.size()) {
            throw new RunException(
                    "split '"
                            + split
                            + "' has "
                            + all.size()
                            + " tasks, but "
                            + number
                            + " are asked for");
        }
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            order.add(i);
        }
        RandomGenerator generator = stream.generator();
        for (int i = 0; i < number; i++) {
            Collections.swap(order, i, i + generator.nextInt(order.size() - i));
        }
        return order.subList(0, number).stream()
                .sorted(Comparator.naturalOrder())
                .map(all::get)
                .toList();
    }

    /** The tasks of a split; what is wrong with them is put down to the environment. */
    private static List<Task> listed(Environment environment, String split) {
        List<Task> tasks;
        try {
            tasks = environment.tasks(split);
        } catch (AgentPrmException e) {
            throw e;
        } catch (RuntimeException | LinkageError e) {
            throw new RunException(
                    environment.getClass().getName()
                            + " cannot list the tasks of split '"
                            + split
                            + "': "
                            + e
                            + "; this is a defect of the environment",
                    e);
        }
        if (tasks == null) {
            throw new RunException(
                    environment.getClass().getName()
                            + " gave null for the tasks of split '"
                            + split
                            + "'; a list is expected, or an exception if the split is unknown");
        }
        return tasks;
    }
}
