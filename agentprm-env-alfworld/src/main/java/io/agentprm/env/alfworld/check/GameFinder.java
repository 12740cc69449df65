package io.agentprm.env.alfworld.check;

import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.engine.GameSession;
import io.agentprm.env.alfworld.game.Engine;
import io.agentprm.env.alfworld.game.Game;
import io.agentprm.env.alfworld.game.GameFolder;
import io.agentprm.env.alfworld.game.GameReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds recorded games below a folder. */
final class GameFinder {
    private static final String FILE = "game.tw-pddl";

    private final Path data;
    private final GameReader reader;
    private final List<Path> roots = new ArrayList<>();

    GameFinder(Path data, GameReader reader) {
        this.data = data;
        this.reader = reader;
        roots.add(data);
        roots.add(data.resolve(GameFolder.RELEASE));
        if (Files.isDirectory(data)) {
            try (Stream<Path> children = Files.list(data)) {
                children.sorted()
                        .forEach(
                                child -> {
                                    roots.add(child);
                                    roots.add(child.resolve(GameFolder.RELEASE));
                                });
            } catch (IOException e) {
                throw new AlfworldException(data + " cannot be listed; check its permissions", e);
            }
        }
    }

    /**
     * The game of that path. Where several generations of it lie below the folder, the one that
     * offers the recorded commands at the start.
     *
     * @throws AlfworldException if there is none
     */
    Game find(String path, List<String> firstCommands) {
        String id =
                path.endsWith("/" + FILE)
                        ? path.substring(0, path.length() - FILE.length() - 1)
                        : path;
        List<Path> folders =
                roots.stream()
                        .map(root -> root.resolve(id))
                        .filter(folder -> Files.exists(folder.resolve(FILE)))
                        .distinct()
                        .toList();
        if (folders.isEmpty()) {
            throw new AlfworldException(
                    "game "
                            + id
                            + " is not below "
                            + data
                            + "; name the folder that contains "
                            + GameFolder.RELEASE);
        }
        Game first = reader.readFolder(id, folders.get(0));
        for (int i = 0; i < folders.size() && folders.size() > 1; i++) {
            Game game = reader.readFolder(id, folders.get(i));
            GameSession session = game.open(Engine.AUTO);
            session.reset();
            if (session.admissible().equals(firstCommands)) {
                return game;
            }
        }
        return first;
    }
}
