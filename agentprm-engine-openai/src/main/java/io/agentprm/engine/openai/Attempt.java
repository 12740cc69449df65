package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/** How one attempt of a request went. */
sealed interface Attempt {
    /** It was answered. */
    record Answered(JsonNode json) implements Attempt {}

    /**
     * It was not.
     *
     * @param why for people
     * @param again whether another attempt may do better
     * @param pause how long the server wants to be left alone
     */
    record Failed(String why, boolean again, Optional<Duration> pause) implements Attempt {}

    static Attempt lost(String why) {
        return new Failed(why, true, Optional.empty());
    }

    static Attempt refused(String why) {
        return new Failed(why, false, Optional.empty());
    }
}
