package io.agentprm.core.pipeline;

import io.agentprm.api.env.Task;
import io.agentprm.api.run.RandomSource;
import io.agentprm.core.RunException;
import java.util.List;

/** What would otherwise fail hours after the start. */
final class Preflight {
    private Preflight() {}

    /**
     * Looks at everything that costs nothing.
     *
     * @throws RunException if the engine does not train, or a split lacks the tasks that are asked
     *     for
     */
    static void check(RunConfig config, Workshop workshop) {
        if (!workshop.engine().trains()) {
            throw new RunException(
                    "engine '"
                            + config.engine().name()
                            + "' runs models but does not train them; choose one that does");
        }
        demonstrated(config, workshop);
        played(config, workshop);
        judged(config, workshop);
    }

    /** Number of tasks that are demonstrated. */
    static int demonstrated(RunConfig config, Workshop workshop) {
        DemonstrationConfig wanted = config.demonstrations();
        return drawn(workshop, wanted.split(), wanted.tasks());
    }

    /** Number of tasks of an iteration's rollouts. */
    static int played(RunConfig config, Workshop workshop) {
        CollectionConfig wanted = config.loop().rollouts();
        return drawn(workshop, wanted.split(), wanted.tasks());
    }

    /** Number of tasks of an evaluation. */
    static int judged(RunConfig config, Workshop workshop) {
        EvaluationConfig wanted = config.evaluation();
        return drawn(workshop, wanted.split(), wanted.tasks());
    }

    private static int drawn(Workshop workshop, String split, int number) {
        List<Task> tasks = TaskDraw.of(workshop.environment(), split, number, RandomSource.of(0));
        return tasks.size();
    }
}
