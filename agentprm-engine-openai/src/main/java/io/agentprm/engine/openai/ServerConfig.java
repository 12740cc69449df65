package io.agentprm.engine.openai;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Where a server is and how it is spoken to. */
@Description("Where a server is and how it is spoken to.")
public record ServerConfig(
        @Description("Address, such as http://localhost:8000.") String url,
        @Description(
                        "Kind of server: vllm, sglang, llama-cpp or openai. vllm and sglang were not"
                                + " there to be run.")
                @Default("vllm")
                Dialect dialect,
        @Description("Name of the model on the server; may be left out where it serves only one.")
                Optional<String> model,
        @Description(
                        "Environment variable that holds the API key; the key itself belongs into no"
                                + " configuration.")
                Optional<String> apiKeyVariable,
        @Description("Largest number of requests at a time, of all workers together.") @Default("8")
                int concurrency,
        @Description("Largest number of requests a minute, of all workers together; 0 for any.")
                @Default("0")
                int requestsPerMinute,
        @Description("How long one attempt may take, the whole answer included.") @Default("2m")
                Duration timeout,
        @Description(
                        "How long a request may take with all its attempts and waits, those for"
                                + " requests-per-minute included; no attempt begins later.")
                @Default("10m")
                Duration deadline,
        @Description("Largest number of attempts of a request, at least 1.") @Default("5")
                int attempts,
        @Description(
                        "Wait before the second attempt; it doubles from attempt to attempt, by chance"
                                + " up to half less. A server that says how long to wait is obeyed.")
                @Default("500ms")
                Duration firstWait) {
    /** Checks the ranges. */
    public ServerConfig {
        require(isAddress(url), "url must be an http or https address, was '" + url + "'");
        require(
                dialect != Dialect.OPENAI || model.isPresent(),
                "model must be given for the dialect openai");
        require(concurrency >= 1, "concurrency must be at least 1, was " + concurrency);
        require(
                requestsPerMinute >= 0,
                "requests-per-minute must be 0 or more, was " + requestsPerMinute);
        require(!timeout.isNegative() && !timeout.isZero(), "timeout must be above 0");
        require(!deadline.isNegative() && !deadline.isZero(), "deadline must be above 0");
        require(attempts >= 1, "attempts must be at least 1, was " + attempts);
        require(!firstWait.isNegative(), "first-wait must be 0 or more");
    }

    private static boolean isAddress(String url) {
        try {
            URI uri = URI.create(url);
            return uri.getHost() != null
                    && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Defaults for a server. */
    public static ServerConfig of(String url, Dialect dialect) {
        return new ServerConfig(
                url,
                dialect,
                Optional.empty(),
                Optional.empty(),
                8,
                0,
                Duration.ofMinutes(2),
                Duration.ofMinutes(10),
                5,
                Duration.ofMillis(500));
    }

    /** The address of an endpoint; an address with or without {@code /v1} is the same server. */
    URI endpoint(String path) {
        return URI.create(url.replaceAll("(/v1)?/*$", "") + path);
    }
}
