package io.agentprm.env.alfworld.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.env.alfworld.TestGames;
import io.agentprm.env.alfworld.engine.GameSession;
import io.agentprm.env.alfworld.game.Engine;
import io.agentprm.env.alfworld.game.Game;
import io.agentprm.env.alfworld.household.Goal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On the engine, not by the planner's word. */
class GeneratedGamesAreWinnableTest {
    @ParameterizedTest
    @EnumSource(RoomSize.class)
    void walkthroughsWinAtTheirLastCommandAndNotBefore(RoomSize size) {
        HouseholdGenerator generator =
                new HouseholdGenerator(
                        size == RoomSize.SMALL
                                ? GeneratorOptions.small(21)
                                : GeneratorOptions.standard(21));
        for (Split split : Split.values()) {
            for (Game game : TestGames.generated(generator, split, 40)) {
                GameSession session = game.open(Engine.AUTO);
                for (String command : game.walkthrough()) {
                    assertFalse(session.won(), game.id());
                    session.step(command);
                    assertTrue(session.accepted(), game.id() + " refuses " + command);
                }
                assertTrue(session.won(), game.id());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(RoomSize.class)
    void theSentenceNamesTheGoal(RoomSize size) {
        HouseholdGenerator generator =
                new HouseholdGenerator(
                        size == RoomSize.SMALL
                                ? GeneratorOptions.small(22)
                                : GeneratorOptions.standard(22));
        List<Game> games = TestGames.generated(generator, Split.TRAIN, 40);
        for (int index = 0; index < games.size(); index++) {
            assertEquals(
                    Optional.of(generator.game(Split.TRAIN, index).goal()),
                    Goal.parse(games.get(index).instruction()));
        }
    }
}
