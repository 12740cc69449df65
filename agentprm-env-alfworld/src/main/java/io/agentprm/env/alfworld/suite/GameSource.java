package io.agentprm.env.alfworld.suite;

import io.agentprm.env.alfworld.game.Game;
import java.util.List;

/** Where games come from. Thread-safe. */
interface GameSource {
    List<String> splits();

    /** Games of a split, always the same and in the same order. */
    List<Game> load(String split);

    /** Content of the file of a game that was loaded from here. */
    String json(Game game);

    /** Hash of everything that the games depend on. */
    String contentHash();
}
