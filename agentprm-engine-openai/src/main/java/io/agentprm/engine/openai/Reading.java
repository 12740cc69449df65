package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A place in an answer. Asking for what is not there, or is of another kind, is an error that names
 * the place.
 */
record Reading(JsonNode node, String place) {
    static Reading of(JsonNode answer) {
        return new Reading(answer, "");
    }

    Reading at(String key) {
        JsonNode found = node.path(key);
        String where = place.isEmpty() ? key : place + "." + key;
        if (found.isMissingNode() || found.isNull()) {
            throw new ServerException(
                    "the server's answer has no "
                            + where
                            + "; check that dialect and the server's version fit: it answered "
                            + excerpt());
        }
        return new Reading(found, where);
    }

    Reading at(int index) {
        if (index >= node.size()) {
            throw new ServerException(
                    "the server's answer has only " + node.size() + " elements in " + place);
        }
        return new Reading(node.get(index), place + "[" + index + "]");
    }

    boolean has(String key) {
        return node.hasNonNull(key);
    }

    /**
     * A list of so many elements.
     *
     * @throws ServerException if it has another number
     */
    Reading list(int size) {
        if (!node.isArray() || node.size() != size) {
            throw new ServerException(
                    "the server's answer should have "
                            + size
                            + " elements in "
                            + place
                            + ", but has "
                            + (node.isArray() ? Integer.toString(node.size()) : excerpt()));
        }
        return this;
    }

    int size() {
        return node.size();
    }

    String text() {
        if (!node.isTextual()) {
            throw wrong("a text");
        }
        return node.asText();
    }

    /** A text that a server may say there is none of, by null; then it is empty. */
    String textOrNone(String key) {
        return node.path(key).isNull() ? "" : at(key).text();
    }

    int integer() {
        if (!node.isIntegralNumber()) {
            throw wrong("a whole number");
        }
        return node.asInt();
    }

    /** A finite number: what is none is an error, never a winner. */
    double number() {
        if (!node.isNumber() || !Double.isFinite(node.asDouble())) {
            throw wrong("a finite number");
        }
        return node.asDouble();
    }

    private ServerException wrong(String expected) {
        return new ServerException(
                "the server's answer should have "
                        + expected
                        + " in "
                        + place
                        + ", but has "
                        + excerpt());
    }

    private String excerpt() {
        String text = node.toString();
        return text.length() > 200 ? text.substring(0, 200) + "…" : text;
    }
}
