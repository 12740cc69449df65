package io.agentprm.testkit;

import io.agentprm.api.env.Capability;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A {@link ToyMdp} as an environment: splits {@code train} and {@code valid} with disjoint task
 * ids, forkable and replayable. What a stochastic action leads to depends on task, seed and step
 * only.
 */
public final class ToyEnvironment implements Environment {
    static final String INSTRUCTION = "instruction";

    private final ToyMdp mdp;
    private final int tasksPerSplit;
    private volatile boolean closed;

    private ToyEnvironment(ToyMdp mdp, int tasksPerSplit) {
        this.mdp = mdp;
        this.tasksPerSplit = tasksPerSplit;
    }

    /** One task per start of the process and split. */
    public static ToyEnvironment of(ToyMdp mdp) {
        return of(mdp, mdp.starts().size());
    }

    /** So many tasks per split; the starts of the process take turns. */
    public static ToyEnvironment of(ToyMdp mdp, int tasksPerSplit) {
        return new ToyEnvironment(mdp, tasksPerSplit);
    }

    public ToyMdp mdp() {
        return mdp;
    }

    @Override
    public EnvironmentInfo info() {
        return EnvironmentInfo.of(
                "toy-mdp", "1", mdp.name() + "-" + tasksPerSplit, mdp.stepLimit());
    }

    @Override
    public List<String> splits() {
        return List.of("train", "valid");
    }

    @Override
    public List<Task> tasks(String split) {
        if (!splits().contains(split)) {
            throw new TestkitException("unknown split '" + split + "'; there are " + splits());
        }
        List<String> instructions = List.copyOf(mdp.starts().keySet());
        List<Task> tasks = new ArrayList<>();
        for (int i = 0; i < tasksPerSplit; i++) {
            String instruction = instructions.get(i % instructions.size());
            tasks.add(Task.of(split + "-" + i, split, instruction).with(INSTRUCTION, instruction));
        }
        return tasks;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.FORKABLE, Capability.REPLAYABLE);
    }

    @Override
    public Session open() {
        if (closed) {
            throw new TestkitException(info() + " is closed");
        }
        return new ToySession(mdp);
    }

    @Override
    public void close() {
        closed = true;
    }
}
