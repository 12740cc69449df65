package io.agentprm.env.alfworld;

import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.env.alfworld.engine.GameSession;
import io.agentprm.env.alfworld.expert.PlacementPrior;
import io.agentprm.env.alfworld.game.Game;
import io.agentprm.env.alfworld.game.GameFolder;
import io.agentprm.env.alfworld.game.GameReader;
import io.agentprm.env.alfworld.generator.GeneratedGame;
import io.agentprm.env.alfworld.generator.HouseholdGenerator;
import io.agentprm.env.alfworld.generator.Split;
import io.agentprm.env.alfworld.household.Household;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Games for tests, and a way to play them without a runner. */
public final class TestGames {
    private TestGames() {}

    /** The first games of a generated split. */
    public static List<Game> generated(HouseholdGenerator generator, Split split, int number) {
        GameReader reader = new GameReader();
        List<Game> games = new ArrayList<>();
        for (int index = 0; index < number; index++) {
            GeneratedGame game = generator.game(split, index);
            games.add(reader.read(split.label() + "/" + game.folder(), game.json()));
        }
        return games;
    }

    /** The released games of a split; skips the test if they are absent. */
    public static List<Game> released(String split) {
        return GameFolder.open(TestData.split(split))
                .load(split, new GameReader(), GameFolder.Filter.NONE);
    }

    public static PlacementPrior prior(List<Game> games) {
        return PlacementPrior.of(rooms(games));
    }

    /** The rooms of games at their start. */
    public static List<Household> rooms(List<Game> games) {
        return games.stream().map(game -> Household.of(game.problem())).toList();
    }

    /** What came of an episode. */
    public record Episode(OptionalInt wonAfter, List<Decision> decisions) {
        public boolean won() {
            return wonAfter.isPresent();
        }
    }

    /** Plays a game from its start. */
    public static Episode play(Game game, Policy policy, int limit) {
        GameSession session = game.open();
        return play(game, session, start(game, session), policy, limit);
    }

    /** Plays on with another policy. */
    public static Episode play(Game game, Policy first, int turns, Policy second, int limit) {
        GameSession session = game.open();
        State state = start(game, session);
        for (int turn = 0; turn < turns && !session.won(); turn++) {
            state = turn(game, session, state, first);
        }
        return play(game, session, state, second, limit);
    }

    private static State start(Game game, GameSession session) {
        Observation seen =
                Observation.text(session.reset()).withAdmissibleActions(session.admissible());
        Task task = Task.of(game.id(), "split", game.type().label());
        return State.initial(task, EpisodeStart.of(game.instruction(), seen));
    }

    private static Episode play(
            Game game, GameSession session, State start, Policy policy, int limit) {
        State state = start;
        List<Decision> decisions = new ArrayList<>();
        for (int turn = 1; turn <= limit; turn++) {
            state = turn(game, session, state, policy);
            decisions.add(state.lastDecision().orElseThrow());
            if (session.won()) {
                return new Episode(OptionalInt.of(turn), decisions);
            }
        }
        return new Episode(OptionalInt.empty(), decisions);
    }

    private static State turn(Game game, GameSession session, State state, Policy policy) {
        RandomSource random = RandomSource.of(5).derive(game.id()).derive(state.turn());
        DecisionRequest request = DecisionRequest.of(state, new EpisodeId(game.id(), 0), 1, random);
        Decision decision = policy.decide(List.of(request)).get(0).get(0);
        String answer = session.step(decision.action().text());
        if (!session.accepted()) {
            throw new AssertionError(decision + " was not admissible in " + game);
        }
        Observation seen = Observation.text(answer).withAdmissibleActions(session.admissible());
        return state.next(decision, seen);
    }
}
