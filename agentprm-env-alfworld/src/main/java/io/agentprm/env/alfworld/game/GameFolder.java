package io.agentprm.env.alfworld.game;

import io.agentprm.api.IoReasons;
import io.agentprm.env.alfworld.AlfworldException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The released data: {@code json_2.1.1/<split>/<task folder>/<trial folder>/game.tw-pddl}. Games
 * come sorted by path (code points, folders separated by {@code /}), unlike upstream, whose order
 * is that of the file system.
 */
public final class GameFolder {
    /** Folder of the release below {@code ALFWORLD_DATA}. */
    public static final String RELEASE = "json_2.1.1";

    /** Which games of a split count. */
    public record Filter(Set<TaskType> types, int limit) {
        /** All types, no limit. */
        public static final Filter NONE = new Filter(Set.of(TaskType.values()), 0);

        /**
         * @param types kinds of tasks
         * @param limit keep the first so many; 0 for all
         */
        public Filter {
            types = Set.copyOf(types);
        }
    }

    private final Path root;

    private GameFolder(Path root) {
        this.root = root;
    }

    /**
     * Opens a data folder.
     *
     * @param data the folder that contains {@code json_2.1.1}, or that folder itself
     * @throws AlfworldException if it is neither
     */
    public static GameFolder open(Path data) {
        if (!Files.isDirectory(data)) {
            throw new AlfworldException(
                    data
                            + " is not a folder; set ALFWORLD_DATA (or the data option) to the folder"
                            + " that contains "
                            + RELEASE);
        }
        Path release = data.resolve(RELEASE);
        GameFolder folder = new GameFolder(Files.isDirectory(release) ? release : data);
        if (folder.splits().isEmpty()) {
            throw new AlfworldException(
                    data
                            + " has no "
                            + RELEASE
                            + "/<split> with games in it; set ALFWORLD_DATA (or the data option) to"
                            + " the folder that contains "
                            + RELEASE
                            + ", and unpack the released games there");
        }
        return folder;
    }

    /** Names of the splits that are there, sorted. */
    public List<String> splits() {
        List<String> splits = new ArrayList<>();
        for (Path folder : children(root)) {
            if (children(folder).stream().anyMatch(GameFolder::hasTrial)) {
                splits.add(folder.getFileName().toString());
            }
        }
        return splits;
    }

    /**
     * Loads the solvable games of a split that count, on all processors.
     *
     * @throws AlfworldException if the split does not exist or has no game that counts, or if a
     *     game cannot be read
     */
    public List<Game> load(String split, GameReader reader, Filter filter) {
        List<String> ids = ids(split);
        int wanted = filter.limit() > 0 ? Math.min(filter.limit(), ids.size()) : ids.size();
        List<Game> games = new ArrayList<>();
        for (int from = 0; from < ids.size() && games.size() < wanted; from += wanted) {
            ids.subList(from, Math.min(from + wanted, ids.size())).parallelStream()
                    .map(id -> reader.readFolder(id, root.resolve(id)))
                    .filter(game -> game.solvable() && filter.types().contains(game.type()))
                    .forEachOrdered(games::add);
        }
        games.subList(Math.min(wanted, games.size()), games.size()).clear();
        if (games.isEmpty()) {
            throw new AlfworldException(
                    root.resolve(split)
                            + ": no solvable game of the types "
                            + filter.types()
                            + "; unpack the released games there or ask for other types");
        }
        return games;
    }

    /**
     * Ids of all games of a split, sorted; those with movable receptacles or slices are skipped.
     */
    public List<String> ids(String split) {
        Path folder = root.resolve(split);
        if (!Files.isDirectory(folder)) {
            throw new AlfworldException(
                    root + " has no split '" + split + "'; those that exist: " + splits());
        }
        List<String> ids = new ArrayList<>();
        for (Path task : children(folder)) {
            for (Path trial : children(task)) {
                String id = split + "/" + task.getFileName() + "/" + trial.getFileName();
                if (!id.contains("movable") && !id.contains("Sliced") && isTrial(trial)) {
                    ids.add(id);
                }
            }
        }
        ids.sort(null);
        return ids;
    }

    /** Hash of the files of these splits and of what counts of them. */
    public String contentHash(List<String> splits, Filter filter) {
        StringBuilder text = new StringBuilder("limit " + filter.limit() + "\n");
        filter.types().stream().sorted().forEach(type -> text.append(type.label()).append('\n'));
        for (String split : splits) {
            for (String id : ids(split)) {
                text.append(id);
                for (String name : List.of(GameReader.GAME_FILE, GameReader.TRAJECTORY_FILE)) {
                    Path file = root.resolve(id).resolve(name);
                    if (Files.exists(file)) {
                        text.append(' ').append(Hashes.sha256(GameReader.bytes(file)));
                    }
                }
                text.append('\n');
            }
        }
        return Hashes.sha256(text.toString());
    }

    /** Folder of a game. */
    public Path folder(String id) {
        return root.resolve(id);
    }

    private static boolean hasTrial(Path task) {
        return children(task).stream().anyMatch(GameFolder::isTrial);
    }

    private static boolean isTrial(Path folder) {
        return Files.exists(folder.resolve(GameReader.GAME_FILE));
    }

    private static AlfworldException unlisted(Path folder, IOException why) {
        return new AlfworldException(folder + " cannot be listed: " + IoReasons.of(why), why);
    }

    private static List<Path> children(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isDirectory).sorted().toList();
        } catch (UncheckedIOException e) {
            throw unlisted(folder, e.getCause());
        } catch (IOException e) {
            throw unlisted(folder, e);
        }
    }
}
