package io.agentprm.env.webshop.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.env.webshop.TestData;
import org.junit.jupiter.api.Test;

/** Outcome and success of purchases add up to the figures of published episodes. */
class LoggedEpisodesTest {
    @Test
    void scoreAndSuccessRateOfFiveHundredEpisodesAreThoseOfTheirAuthors() {
        JsonNode log = TestData.json("logs/react_test500_episodes.json");
        double score = 0;
        int successes = 0;
        for (JsonNode episode : log.path("episodes")) {
            EpisodeEnd.Terminated end = WebshopSession.end(episode.path("reward").doubleValue());
            score += end.outcome();
            successes += end.success() ? 1 : 0;
        }
        int episodes = log.path("episodes").size();
        assertEquals(500, episodes);
        assertEquals(log.path("mean_score").doubleValue(), score / episodes, 1e-12);
        assertEquals(log.path("success_rate").doubleValue(), (double) successes / episodes);
    }
}
