package io.agentprm.cli.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The fields of a form that was sent. */
record Form(Map<String, String> fields) {
    /** Longest form, in bytes. */
    static final int LIMIT = 1 << 14;

    /**
     * Reads a body.
     *
     * @return empty if it is no form
     */
    static Optional<Form> parse(byte[] body) {
        Map<String, String> fields = new HashMap<>();
        try {
            for (String field : new String(body, StandardCharsets.UTF_8).split("&")) {
                int equals = field.indexOf('=');
                if (equals > 0) {
                    fields.put(
                            decoded(field.substring(0, equals)),
                            decoded(field.substring(equals + 1)));
                }
            }
            return Optional.of(new Form(fields));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(fields.get(name));
    }

    /** A number from 0; empty if there is none. */
    OptionalInt number(String name) {
        return text(name)
                .filter(value -> value.matches("[0-9]{1,9}"))
                .map(value -> OptionalInt.of(Integer.parseInt(value)))
                .orElse(OptionalInt.empty());
    }
}
