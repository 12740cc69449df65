package io.agentprm.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.trajectory.Trajectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentPrmImportTest {
    private static final String EPISODE =
            """
            {"gamefile": "data/json_2.1.1/train/pick_clean-Mug-None-Desk-1/trial_T1/game.tw-pddl",
             "task": "put a clean mug in desk",
             "trajectory": [
              {"observation": "You are in a room.", "candidate_actions": ["look", "go to desk 1"],
               "reason": "The desk first.", "action": "go to desk 1", "score": 0, "agent_log": [1]},
              {"observation": "On the desk 1, you see nothing.", "candidate_actions": ["look"],
               "reason": "", "action": "dance", "score": 1}]}
            """;

    @TempDir Path directory;

    private void write(String name, String text) throws Exception {
        Files.writeString(directory.resolve(name), text);
    }

    @Test
    void episodesAreReadInTheOrderOfTheirNumbersAndNumberedAsAttempts() throws Exception {
        write("10.json", EPISODE.replace("\"score\": 1", "\"score\": 0"));
        write("9.json", EPISODE);
        write("summary.csv", "gamefile\n");
        List<Trajectory> episodes = new AgentPrmImport(OnCorrupt.FAIL).read(directory).items();
        assertEquals(List.of(0, 1), episodes.stream().map(Trajectory::episode).toList());
        Trajectory won = episodes.get(0);
        assertEquals("train", won.task().split());
        assertEquals("pick_clean", won.task().category());
        assertEquals("put a clean mug in desk", won.instruction());
        assertEquals(new EpisodeEnd.Terminated(EpisodeEnd.Reason.GOAL, 1, true), won.end());
        assertEquals(
                new EpisodeEnd.Terminated(EpisodeEnd.Reason.FAILURE, 0, false),
                episodes.get(1).end());
        assertEquals(
                "REASON:\nThe desk first.\nACTION:\ngo to desk 1",
                won.turns().get(0).decision().text());
        assertEquals("dance", won.turns().get(1).decision().text());
        assertTrue(won.turns().get(0).feedback().valid());
        assertFalse(won.turns().get(1).feedback().valid());
        assertEquals(
                List.of("look"),
                won.turns().get(1).observation().admissibleActions().orElseThrow());
        // Actions, not observations, are the history.
        assertEquals(
                "go to desk 1", won.states().get(1).history().get(0).decision().action().text());
    }

    @Test
    void aTruncatedFileFailsWithItsPathOrIsSkippedAndCounted() throws Exception {
        write("0.json", EPISODE);
        write("1.json", EPISODE.substring(0, 200));
        write("2.json", EPISODE);
        StoreException e =
                assertThrows(
                        StoreException.class,
                        () -> new AgentPrmImport(OnCorrupt.FAIL).read(directory));
        assertTrue(e.getMessage().startsWith(directory.resolve("1.json") + ":"), e.getMessage());
        ReadResult<Trajectory> result = new AgentPrmImport(OnCorrupt.SKIP).read(directory);
        assertEquals(2, result.items().size());
        assertEquals(List.of(e.getMessage()), result.skipped());
    }

    @Test
    void aFolderWithoutEpisodesIsAnError() {
        StoreException e =
                assertThrows(
                        StoreException.class,
                        () -> new AgentPrmImport(OnCorrupt.SKIP).read(directory));
        assertTrue(e.getMessage().contains("holds no episodes"), e.getMessage());
    }
}
