package io.agentprm.engine.openai;

import java.util.Optional;
import java.util.function.Function;

/** A key that is sent and never shown: not in logs, not in errors, not as text. */
final class ApiKey {
    private final Optional<String> value;

    private ApiKey(Optional<String> value) {
        this.value = value;
    }

    /**
     * The key in a variable of the environment.
     *
     * @throws ServerException if the variable is named but not set
     */
    static ApiKey of(Optional<String> variable, Function<String, Optional<String>> environment) {
        if (variable.isEmpty()) {
            return new ApiKey(Optional.empty());
        }
        return new ApiKey(
                Optional.of(
                        environment
                                .apply(variable.get())
                                .map(String::strip)
                                .filter(key -> !key.isEmpty())
                                .orElseThrow(
                                        () ->
                                                new ServerException(
                                                        "api-key-variable names "
                                                                + variable.get()
                                                                + ", which is not set; export it, or"
                                                                + " leave api-key-variable out"))));
    }

    Optional<String> header() {
        return value.map(key -> "Bearer " + key);
    }

    /** The text without the key, should a server have repeated it. */
    String hiddenIn(String text) {
        return value.map(key -> text.replace(key, "***")).orElse(text);
    }

    @Override
    public String toString() {
        return value.isPresent() ? "***" : "none";
    }
}
