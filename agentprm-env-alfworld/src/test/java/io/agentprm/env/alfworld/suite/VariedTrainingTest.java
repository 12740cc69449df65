package io.agentprm.env.alfworld.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Task;
import io.agentprm.api.run.RunContext;
import io.agentprm.env.alfworld.engine.GameSession;
import io.agentprm.env.alfworld.game.Game;
import io.agentprm.env.alfworld.generator.GeneratorOptions;
import io.agentprm.env.alfworld.generator.VariationOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VariedTrainingTest {
    private static final AlfworldConfig GENERATED =
            AlfworldConfig.generated(GeneratorOptions.small(2).withGames(20, 2, 2));

    private final AlfworldEnvironment suite = open(3, 1);

    @Test
    void everyTrainingGameHasSoManyVariations() {
        List<Task> tasks = suite.tasks("train_varied");

        assertEquals(60, tasks.size());
        assertEquals(60, new HashSet<>(tasks).size());
        assertTrue(suite.splits().contains("train_varied"));
    }

    @Test
    void variationsDifferAndAreWonByTheirWalkthroughs() {
        Set<String> contents = new HashSet<>();
        suite.tasks("train").forEach(task -> contents.add(suite.game(task).contentHash()));
        for (Task task : suite.tasks("train_varied")) {
            Game game = suite.game(task);
            contents.add(game.contentHash());
            GameSession session = game.open();
            game.walkthrough().forEach(session::step);
            assertTrue(session.won(), task.id());
            assertEquals(task.attributes().get("instruction"), game.instruction());
        }

        assertEquals(80, contents.size());
    }

    @Test
    void aVariationDependsOnItsSeedOnly() {
        Task task = suite.tasks("train_varied").get(31);

        assertEquals(suite.game(task).contentHash(), open(2, 1).game(task).contentHash());
        assertNotEquals(suite.game(task).contentHash(), open(3, 9).game(task).contentHash());
    }

    @Test
    void theContentHashTellsVariedSuitesApart() {
        assertNotEquals(suite.info().contentHash(), open(3, 9).info().contentHash());
        assertNotEquals(suite.info().contentHash(), open(0, 1).info().contentHash());
    }

    @Test
    void withoutVariationsThereIsNoSuchSplit() {
        assertFalse(open(0, 1).splits().contains("train_varied"));
    }

    private static AlfworldEnvironment open(int perGame, long seed) {
        return (AlfworldEnvironment)
                new AlfworldProvider()
                        .create(
                                GENERATED.withVariation(VariationOptions.standard(perGame, seed)),
                                RunContext.ofSeed(1));
    }
}
