package io.agentprm.env.alfworld.suite;

import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.game.Game;
import io.agentprm.env.alfworld.game.GameFolder;
import io.agentprm.env.alfworld.game.GameReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Games from files. */
final class ReleasedGames implements GameSource {
    private final GameFolder folder;
    private final GameFolder.Filter filter;
    private final List<String> splits;
    private final GameReader reader = new GameReader();

    ReleasedGames(GameFolder folder, List<String> splits, GameFolder.Filter filter) {
        this.folder = folder;
        this.filter = filter;
        this.splits = splits.isEmpty() ? folder.splits() : List.copyOf(splits);
    }

    @Override
    public List<String> splits() {
        return splits;
    }

    @Override
    public List<Game> load(String split) {
        return folder.load(split, reader, filter);
    }

    @Override
    public String json(Game game) {
        Path file = folder.folder(game.id()).resolve(GameReader.GAME_FILE);
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AlfworldException(
                    file + " cannot be read (" + e + "); check its permissions", e);
        }
    }

    @Override
    public String contentHash() {
        return folder.contentHash(splits, filter);
    }
}
