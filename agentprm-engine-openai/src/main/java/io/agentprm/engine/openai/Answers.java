package io.agentprm.engine.openai;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Judges what a server answered: the JSON asked for, something to try again, or a refusal. */
final class Answers {
    static final ObjectMapper MAPPER =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    private static final Set<Integer> PASSING = Set.of(408, 425, 429, 500, 502, 503, 504);
    private static final int SHOWN = 300;

    private final ServerConfig config;
    private final ApiKey key;
    private final Clock clock;

    Answers(ServerConfig config, ApiKey key, Clock clock) {
        this.config = config;
        this.key = key;
        this.clock = clock;
    }

    Attempt judge(Wire.Answer answer) {
        int status = answer.status();
        if (PASSING.contains(status)) {
            return new Attempt.Failed(
                    "status " + status + excerpt(answer),
                    true,
                    answer.retryAfter().flatMap(this::wait));
        }
        if (status / 100 != 2) {
            return Attempt.refused("status " + status + excerpt(answer) + remedy(status));
        }
        if (!answer.contentType().toLowerCase(Locale.ROOT).contains("json")) {
            return Attempt.refused(
                    "an answer of type '"
                            + answer.contentType()
                            + "' instead of JSON"
                            + excerpt(answer)
                            + "; check that url is the address of the model's server");
        }
        return parsed(answer);
    }

    private Attempt parsed(Wire.Answer answer) {
        try {
            JsonNode json = MAPPER.readTree(answer.body());
            return json.isObject() || json.isArray()
                    ? new Attempt.Answered(json)
                    : Attempt.lost("an empty answer");
        } catch (JsonProcessingException e) {
            return Attempt.lost("JSON that cannot be read: " + e.getOriginalMessage());
        } catch (IOException e) {
            return Attempt.lost("JSON that cannot be read");
        }
    }

    private String excerpt(Wire.Answer answer) {
        String text =
                key.hiddenIn(new String(answer.body(), StandardCharsets.UTF_8))
                        .replaceAll("\\s+", " ")
                        .strip();
        return text.isEmpty()
                ? ""
                : " (" + (text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text) + ")";
    }

    private String remedy(int status) {
        return switch (status) {
            case 401, 403 ->
                    config.apiKeyVariable()
                            .map(name -> "; check the key in " + name)
                            .orElse("; name the variable that holds the key in api-key-variable");
            case 404 -> "; check url, model and dialect";
            default -> "";
        };
    }

    /** Seconds, or a date of HTTP. */
    private Optional<Duration> wait(String value) {
        try {
            if (value.strip().matches("\\d{1,9}")) {
                return Optional.of(Duration.ofSeconds(Long.parseLong(value.strip())));
            }
            Instant then =
                    ZonedDateTime.parse(value.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant();
            Duration wait = Duration.between(clock.instant(), then);
            return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
