package io.agentprm.env.alfworld.suite;

import io.agentprm.env.alfworld.game.Game;
import io.agentprm.env.alfworld.game.GameFolder;
import io.agentprm.env.alfworld.game.GameReader;
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
    public String contentHash() {
        return folder.contentHash(splits, filter);
    }
}
