package io.agentprm.env.alfworld.suite;

import io.agentprm.api.env.Task;
import io.agentprm.api.run.RandomSource;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.game.Game;
import io.agentprm.env.alfworld.game.GameReader;
import io.agentprm.env.alfworld.generator.GameVariation;
import io.agentprm.env.alfworld.generator.VariationOptions;
import io.agentprm.env.alfworld.household.Household;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The split of variations of the training games. There may be many, so they are made when played,
 * and only the last few are kept. The id of a variation is that of its original in this split, with
 * {@code ~} and its number. Thread-safe.
 */
final class VariedTraining {
    static final String SPLIT = "train_varied";
    static final String ORIGINALS = "train";

    private static final char MARK = '~';
    private static final int KEPT = 256;

    private final GameSource source;
    private final VariationOptions options;
    private final Supplier<Map<String, Game>> originals;
    private final GameReader reader = new GameReader();
    private final Map<String, Game> recent =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Game> eldest) {
                    return size() > KEPT;
                }
            };
    private Optional<GameVariation> variation = Optional.empty();

    /**
     * The split over a source.
     *
     * @param originals loads the training games by id
     */
    VariedTraining(
            GameSource source, VariationOptions options, Supplier<Map<String, Game>> originals) {
        this.source = source;
        this.options = options;
        this.originals = originals;
    }

    boolean exists() {
        return options.perGame() > 0 && source.splits().contains(ORIGINALS);
    }

    /** First variation of all games, then the second, and so on. */
    List<Task> tasks(List<Task> training) {
        List<Task> tasks = new ArrayList<>();
        for (int number = 1; number <= options.perGame(); number++) {
            for (Task task : training) {
                String id = SPLIT + task.id().substring(ORIGINALS.length()) + MARK + number;
                Task varied = Task.of(id, SPLIT, task.category());
                for (Map.Entry<String, String> attribute : task.attributes().entrySet()) {
                    varied = varied.with(attribute.getKey(), attribute.getValue());
                }
                tasks.add(varied);
            }
        }
        return tasks;
    }

    Game game(Task task) {
        synchronized (recent) {
            Game known = recent.get(task.id());
            if (known != null) {
                return known;
            }
        }
        Game made = make(task);
        synchronized (recent) {
            recent.put(task.id(), made);
        }
        return made;
    }

    private Game make(Task task) {
        String id = task.id();
        int mark = id.lastIndexOf(MARK);
        Game original =
                mark < SPLIT.length()
                        ? null
                        : originals.get().get(ORIGINALS + id.substring(SPLIT.length(), mark));
        if (original == null) {
            throw new AlfworldException(
                    "no task " + id + " in split " + SPLIT + "; ask for tasks(split)");
        }
        RandomSource random = RandomSource.of(options.seed()).derive(id);
        String json = variation().vary(original.id(), source.json(original), random);
        return reader.read(id, json);
    }

    private synchronized GameVariation variation() {
        if (variation.isEmpty()) {
            List<Household> rooms = new ArrayList<>();
            originals.get().values().forEach(game -> rooms.add(Household.of(game.problem())));
            variation = Optional.of(new GameVariation(options, rooms));
        }
        return variation.get();
    }
}
