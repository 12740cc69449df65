package io.agentprm.env.alfworld.expert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.TestGames;
import io.agentprm.env.alfworld.TestGames.Episode;
import io.agentprm.env.alfworld.game.Game;
import io.agentprm.env.alfworld.generator.GeneratorOptions;
import io.agentprm.env.alfworld.generator.HouseholdGenerator;
import io.agentprm.env.alfworld.generator.Split;
import io.agentprm.env.alfworld.household.Blueprint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HouseholdExpertTest {
    private static final int LIMIT = 30;
    private static final ExpertOptions EXPLORER = ExpertOptions.of(ExpertKind.EXPLORER);

    private final HouseholdGenerator generator = new HouseholdGenerator(GeneratorOptions.small(11));
    private final List<Game> unseen = TestGames.generated(generator, Split.VALID_UNSEEN, 60);
    private final PlacementPrior prior =
            TestGames.prior(TestGames.generated(generator, Split.TRAIN, 200));

    @Test
    void theExplorerWinsSmallUnseenGames() {
        assertEquals(unseen.size(), wins(unseen, explorer(EXPLORER)));
    }

    @Test
    void theExplorerWinsNearlyAllStandardUnseenGames() {
        HouseholdGenerator standard = new HouseholdGenerator(GeneratorOptions.standard(11));
        List<Game> games = TestGames.generated(standard, Split.VALID_UNSEEN, 60);
        PlacementPrior known = TestGames.prior(TestGames.generated(standard, Split.TRAIN, 200));

        assertTrue(wins(games, explorer(known, EXPLORER)) >= 55);
    }

    /** 134 of 134 within 30 actions, 7.9 actions on average, is what a prototype reached. */
    @Test
    @Tag("slow")
    void theExplorerWinsAllReleasedValidationGames() {
        PlacementPrior known = TestGames.prior(TestGames.released("train"));
        List<Game> outside = TestGames.released("valid_unseen");
        List<Game> inside = TestGames.released("valid_seen");

        assertEquals(134, wins(outside, explorer(known, EXPLORER)));
        assertEquals(140, wins(inside, explorer(known, EXPLORER)));
        assertTrue(meanActions(outside, explorer(known, EXPLORER)) < 7.95);
        assertTrue(meanActions(inside, explorer(known, EXPLORER)) < 7.95);
    }

    @Test
    void thePlannerWinsInAsManyActionsAsTheWalkthroughHas() {
        for (Game game : unseen) {
            Episode episode = TestGames.play(game, planner(unseen), LIMIT);
            assertEquals(game.walkthrough().size(), episode.wonAfter().orElseThrow(), game.id());
        }
    }

    @Test
    void bothTakeOverFromAnyHistory() {
        int explored = 0;
        for (Game game : unseen) {
            Policy stray = HouseholdExpert.random();
            if (TestGames.play(game, stray, 10, explorer(EXPLORER), LIMIT).won()) {
                explored++;
            }
            assertTrue(TestGames.play(game, stray, 10, planner(unseen), LIMIT).won(), game.id());
        }

        assertTrue(explored >= 58, explored + " of " + unseen.size());
    }

    @Test
    void searchOrderMakesWeakerExperts() {
        double best = meanActions(unseen, explorer(EXPLORER));
        double shuffled = meanActions(unseen, explorer(EXPLORER.with(SearchOrder.RANDOM)));
        double worst = meanActions(unseen, explorer(EXPLORER.with(SearchOrder.REVERSE)));

        assertTrue(best < shuffled && shuffled < worst, best + " " + shuffled + " " + worst);
    }

    @Test
    void noiseIsAdmissibleMarkedAndAsFrequentAsAsked() {
        long stray = 0;
        long all = 0;
        for (Game game : unseen) {
            Episode episode = TestGames.play(game, explorer(EXPLORER.withNoise(0.3)), LIMIT);
            all += episode.decisions().size();
            stray += episode.decisions().stream().filter(d -> !d.deliberate()).count();
        }

        assertEquals(0.3, (double) stray / all, 0.05);
    }

    @Test
    void withoutNoiseEveryActionOfAWonEpisodeIsDeliberate() {
        for (Game game : unseen) {
            Episode episode = TestGames.play(game, explorer(EXPLORER), LIMIT);
            assertTrue(episode.decisions().stream().allMatch(d -> d.deliberate()), game.id());
        }
    }

    @Test
    void impatienceMakesGamesFailAndFailuresAreNotDeliberate() {
        Policy impatient = explorer(EXPLORER.withPatience(2));
        int lost = 0;
        for (Game game : unseen) {
            Episode episode = TestGames.play(game, impatient, LIMIT);
            if (!episode.won()) {
                lost++;
                assertTrue(episode.decisions().stream().anyMatch(d -> !d.deliberate()));
            }
        }

        assertTrue(lost > 5, "only " + lost + " games lost");
    }

    @Test
    void anExpertDecidesTheSameForTheSameStream() {
        Game game = unseen.get(0);
        ExpertOptions noisy = EXPLORER.with(SearchOrder.RANDOM).withNoise(0.2);

        assertEquals(
                texts(TestGames.play(game, explorer(noisy), LIMIT)),
                texts(TestGames.play(game, explorer(noisy), LIMIT)));
    }

    @Test
    void aTaskInOnesOwnWordsIsRefusedWithTheRemedy() {
        AlfworldException refused =
                assertThrows(
                        AlfworldException.class,
                        () -> explorer(EXPLORER).decide(List.of(request("tidy up a bit", true))));

        assertTrue(refused.getMessage().contains("planner"));
    }

    @Test
    void withoutAdmissibleActionsThereIsNoExpert() {
        AlfworldException refused =
                assertThrows(
                        AlfworldException.class,
                        () ->
                                explorer(EXPLORER)
                                        .decide(List.of(request("put a mug in desk", false))));

        assertTrue(refused.getMessage().contains("admissible"));
    }

    private static DecisionRequest request(String instruction, boolean listed) {
        Observation observation = Observation.text("You see nothing.");
        EpisodeStart start =
                EpisodeStart.of(
                        instruction,
                        listed ? observation.withAdmissibleActions(List.of("look")) : observation);
        return DecisionRequest.of(
                State.initial(Task.of("any", "train", "any"), start),
                new EpisodeId("any", 0),
                1,
                RandomSource.of(1));
    }

    private Policy explorer(ExpertOptions options) {
        return explorer(prior, options);
    }

    private static Policy explorer(PlacementPrior known, ExpertOptions options) {
        return HouseholdExpert.explorer(known, options, RandomSource.of(3));
    }

    private static Policy planner(List<Game> games) {
        Map<String, Blueprint> blueprints =
                games.stream().collect(Collectors.toMap(Game::id, g -> Blueprint.of(g.problem())));
        return HouseholdExpert.planner(
                task -> blueprints.get(task.id()), ExpertOptions.of(ExpertKind.PLANNER));
    }

    private static int wins(List<Game> games, Policy policy) {
        return (int) games.stream().filter(g -> TestGames.play(g, policy, LIMIT).won()).count();
    }

    private static double meanActions(List<Game> games, Policy policy) {
        List<Integer> actions = new ArrayList<>();
        games.forEach(g -> actions.add(TestGames.play(g, policy, LIMIT).decisions().size()));
        return actions.stream().mapToInt(Integer::intValue).average().orElseThrow();
    }

    private static List<String> texts(Episode episode) {
        return episode.decisions().stream().map(d -> d.action().text()).toList();
    }
}
