package org.example.corridor;

import io.agentprm.api.env.Capability;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.Task;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A porter starts at the desk, where a note names a colour, and delivers a parcel behind the door
 * of that colour. He sees only the door that he stands before, and the note only at the desk: what
 * he read there he must remember. A wrong door is a failure.
 */
final class CorridorEnvironment implements Environment {
    private final CorridorConfig config;
    private final Map<String, List<Task>> tasks = new LinkedHashMap<>();
    private volatile boolean closed;

    CorridorEnvironment(CorridorConfig config) {
        this.config = config;
        for (String split : List.of("train", "valid")) {
            tasks.put(
                    split,
                    IntStream.range(0, config.tasksPerSplit())
                            .mapToObj(i -> Task.of(split + "-" + i, split, "deliver"))
                            .toList());
        }
    }

    @Override
    public EnvironmentInfo info() {
        String content = "doors " + config.doors() + " tasks " + config.tasksPerSplit();
        return EnvironmentInfo.of("corridor", "1", content, config.stepLimit());
    }

    @Override
    public List<String> splits() {
        return List.copyOf(tasks.keySet());
    }

    @Override
    public List<Task> tasks(String split) {
        List<Task> list = tasks.get(split);
        if (list == null) {
            throw new CorridorException("no split '" + split + "'; there are " + splits());
        }
        return list;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.FORKABLE, Capability.REPLAYABLE);
    }

    @Override
    public Session open() {
        if (closed) {
            throw new CorridorException("the corridor is closed; open another one");
        }
        return new CorridorSession(this, config);
    }

    Corridor corridor(Task task) {
        if (!tasks(task.split()).contains(task)) {
            throw new CorridorException("no task " + task + "; ask for tasks(split)");
        }
        return Corridor.of(task, config.doors());
    }

    @Override
    public void close() {
        closed = true;
    }
}
