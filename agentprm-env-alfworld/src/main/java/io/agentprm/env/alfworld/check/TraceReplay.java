package io.agentprm.env.alfworld.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.engine.GameSession;
import io.agentprm.env.alfworld.game.Engine;
import io.agentprm.env.alfworld.game.Game;
import java.util.ArrayList;
import java.util.List;

/** One game with several recorded traces from its start. */
final class TraceReplay {
    private final GameFinder games;
    private final Engine engine;
    private final Tally tally;

    TraceReplay(GameFinder games, Engine engine, Tally tally) {
        this.games = games;
        this.engine = engine;
        this.tally = tally;
    }

    void replay(String where, JsonNode json) {
        tally.startGame();
        String path = Fields.text(json, "game");
        JsonNode reset = Fields.required(json, "reset");
        JsonNode traces = Fields.required(json, "traces");
        if (!traces.isObject()) {
            throw new AlfworldException("field 'traces' must be an object of lists");
        }
        String game = where + ", " + path;
        Game found = games.find(path, Fields.texts(reset, "admissible"));
        GameSession session = found.open(engine);
        String first = session.reset();
        tally.compare(game + ", reset", "observation", Fields.text(reset, "obs"), first);
        compareState(game + ", reset", reset, session);
        traces.properties()
                .forEach(
                        trace -> {
                            session.reset();
                            replayTrace(game + ", " + trace.getKey(), trace.getValue(), session);
                        });
    }

    private void replayTrace(String where, JsonNode steps, GameSession session) {
        List<JsonNode> list = new ArrayList<>();
        steps.forEach(list::add);
        for (int i = 0; i < list.size(); i++) {
            JsonNode step = list.get(i);
            String command = Fields.text(step, "cmd");
            String place = where + ", step " + (i + 1) + " \"" + command + "\"";
            String observation = session.step(command);
            tally.compare(place, "observation", Fields.text(step, "obs"), observation);
            compareState(place, step, session);
            tally.compare(place, "done", Fields.flag(step, "done"), session.won());
            tally.compare(place, "score", Fields.number(step, "score"), session.won() ? 1.0 : 0.0);
        }
    }

    private void compareState(String place, JsonNode recorded, GameSession session) {
        tally.compare(
                place,
                "admissible commands",
                Fields.texts(recorded, "admissible"),
                session.admissible());
        tally.compare(place, "won", Fields.flag(recorded, "won"), session.won());
    }
}
