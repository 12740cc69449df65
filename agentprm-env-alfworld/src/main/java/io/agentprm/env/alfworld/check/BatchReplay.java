package io.agentprm.env.alfworld.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.alfworld.game.Engine;
import io.agentprm.env.alfworld.game.Game;
import io.agentprm.env.alfworld.game.UpstreamOrder;
import java.util.List;

/** A recording of the batch interface: order of games, step limit, and what comes after the end. */
final class BatchReplay {
    private final GameFinder games;
    private final Engine engine;
    private final Tally tally;

    BatchReplay(GameFinder games, Engine engine, Tally tally) {
        this.games = games;
        this.engine = engine;
        this.tally = tally;
    }

    void replay(String where, JsonNode json) {
        List<String> paths = Fields.texts(json, "games");
        long seed = (long) Fields.number(json, "seed");
        int limit = (int) Fields.number(json, "max_episode_steps");
        UpstreamOrder<String> order = new UpstreamOrder<>(paths, seed);
        int number = 0;
        for (JsonNode episode : Fields.required(json, "episodes")) {
            tally.startGame();
            number++;
            String path = Fields.text(episode, "game");
            String place = where + ", episode " + number;
            tally.compare(place, "game", path, order.next());
            replayEpisode(place + ", " + path, episode, games.find(path, List.of()), limit);
        }
    }

    private void replayEpisode(String where, JsonNode episode, Game game, int limit) {
        BatchSlot slot = new BatchSlot(game.open(engine), limit);
        BatchSlot.Tuple first = slot.reset();
        tally.compare(where, "observation", Fields.text(episode, "obs"), first.observation());
        tally.compare(where, "won", Fields.flag(episode, "won0"), first.won());
        int number = 0;
        for (JsonNode step : Fields.required(episode, "steps")) {
            number++;
            String command = Fields.text(step, "cmd");
            String place = where + ", step " + number + " \"" + command + "\"";
            BatchSlot.Tuple tuple = slot.step(command);
            tally.compare(place, "observation", Fields.text(step, "obs"), tuple.observation());
            tally.compare(place, "score", Fields.number(step, "score"), tuple.score());
            tally.compare(place, "done", Fields.flag(step, "done"), tuple.done());
            tally.compare(place, "won", Fields.flag(step, "won"), tuple.won());
            tally.compare(
                    place,
                    "number of admissible commands",
                    (int) Fields.number(step, "n_adm"),
                    tuple.admissible().size());
        }
    }
}
