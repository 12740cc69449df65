package ${package};

import io.agentprm.api.env.Capability;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RandomSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The tasks, shared by all sessions and threads. What takes long to load is loaded here, once; a
 * session is cheap.
 */
final class ${className}Environment implements Environment {
    private final ${className}Config config;
    private final Map<String, List<Task>> tasks = new LinkedHashMap<>();
    private volatile boolean closed;

    ${className}Environment(${className}Config config) {
        this.config = config;
        for (String split : List.of("train", "valid")) {
            tasks.put(
                    split,
                    IntStream.range(0, config.tasksPerSplit())
                            .mapToObj(i -> Task.of(split + "-" + i, split, "find"))
                            .toList());
        }
    }

    /** The content says what results depend on: an interrupted run does not go on with another. */
    @Override
    public EnvironmentInfo info() {
        String content = "numbers " + config.numbers() + " tasks " + config.tasksPerSplit();
        return EnvironmentInfo.of("${environmentName}", "1", content, config.tries());
    }

    @Override
    public List<String> splits() {
        return List.copyOf(tasks.keySet());
    }

    @Override
    public List<Task> tasks(String split) {
        List<Task> list = tasks.get(split);
        if (list == null) {
            throw new ${className}Exception("no split '" + split + "'; there are " + splits());
        }
        return list;
    }

    /** Drop what your sessions cannot do. Training by online-dpo and Best-of-N needs neither. */
    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.FORKABLE, Capability.REPLAYABLE);
    }

    @Override
    public Session open() {
        if (closed) {
            throw new ${className}Exception("the environment is closed; open another one");
        }
        return new ${className}Session(this, config);
    }

    /** The number that is looked for, a matter of the task alone. */
    int number(Task task) {
        if (!tasks(task.split()).contains(task)) {
            throw new ${className}Exception("no task " + task + "; ask for tasks(split)");
        }
        return 1 + RandomSource.of(2026).derive(task.id()).generator().nextInt(config.numbers());
    }

    @Override
    public void close() {
        closed = true;
    }
}
