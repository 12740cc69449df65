package io.agentprm.env.alfworld.suite;

import io.agentprm.api.env.Capability;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.Task;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.game.Game;
import io.agentprm.env.alfworld.game.Hashes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The suite of household games. Task ids are {@code <split>/<task folder>/<trial folder>}, the
 * category is the task type, and the attribute {@code instruction} holds the task in words.
 */
public final class AlfworldEnvironment implements Environment {
    /** Attribute of tasks: the task in words. */
    public static final String INSTRUCTION = "instruction";

    private static final String VERSION = "1";

    private record LoadedSplit(Map<String, Game> games, List<Task> tasks) {}

    private final GameSource source;
    private final AlfworldConfig config;
    private final VariedTraining varied;
    private final Map<String, LoadedSplit> loaded = new ConcurrentHashMap<>();
    private Optional<EnvironmentInfo> info = Optional.empty();
    private volatile boolean closed;

    AlfworldEnvironment(GameSource source, AlfworldConfig config) {
        this.source = source;
        this.config = config;
        this.varied =
                new VariedTraining(
                        source, config.variation(), () -> load(VariedTraining.ORIGINALS).games());
    }

    @Override
    public synchronized EnvironmentInfo info() {
        if (info.isEmpty()) {
            String hash =
                    Hashes.sha256(
                            source.contentHash()
                                    + (varied.exists() ? config.variation() : "")
                                    + " human goals "
                                    + config.humanGoals());
            info = Optional.of(EnvironmentInfo.of("alfworld", VERSION, hash, config.stepLimit()));
        }
        return info.get();
    }

    @Override
    public List<String> splits() {
        if (!varied.exists()) {
            return source.splits();
        }
        List<String> splits = new ArrayList<>(source.splits());
        splits.add(VariedTraining.SPLIT);
        return List.copyOf(splits);
    }

    @Override
    public List<Task> tasks(String split) {
        if (varied.exists() && split.equals(VariedTraining.SPLIT)) {
            return varied.tasks(load(VariedTraining.ORIGINALS).tasks());
        }
        return load(split).tasks();
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.FORKABLE, Capability.REPLAYABLE);
    }

    @Override
    public Session open() {
        if (closed) {
            throw new AlfworldException("the environment is closed; open another one");
        }
        return new AlfworldSession(this, config);
    }

    @Override
    public void close() {
        closed = true;
        loaded.clear();
    }

    /**
     * The game behind a task.
     *
     * @throws AlfworldException if the suite has no such task
     */
    public Game game(Task task) {
        if (varied.exists() && task.split().equals(VariedTraining.SPLIT)) {
            return varied.game(task);
        }
        Game game = load(task.split()).games().get(task.id());
        if (game == null) {
            throw new AlfworldException(
                    "no task "
                            + task.id()
                            + " in split "
                            + task.split()
                            + "; ask for tasks(split)");
        }
        return game;
    }

    private LoadedSplit load(String split) {
        if (!source.splits().contains(split)) {
            throw new AlfworldException("no split '" + split + "'; those that exist: " + splits());
        }
        return loaded.computeIfAbsent(split, this::read);
    }

    private LoadedSplit read(String split) {
        Map<String, Game> games = new LinkedHashMap<>();
        for (Game game : source.load(split)) {
            if (config.humanGoals() && game.humanGoals().isEmpty()) {
                throw new AlfworldException(
                        game.id()
                                + " has no human goals; add its traj_data.json with turk_annotations,"
                                + " or turn human-goals off");
            }
            games.put(game.id(), game);
        }
        List<Task> tasks =
                games.values().stream()
                        .map(
                                game ->
                                        Task.of(game.id(), split, game.type().label())
                                                .with(INSTRUCTION, game.instruction()))
                        .toList();
        return new LoadedSplit(games, tasks);
    }
}
