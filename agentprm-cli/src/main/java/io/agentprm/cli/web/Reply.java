package io.agentprm.cli.web;

import java.util.Map;

/**
 * What a request is answered.
 *
 * @param headers beside those of every answer
 * @param page markup; empty for a redirection
 */
record Reply(int status, Map<String, String> headers, String page) {
    static Reply page(String page) {
        return new Reply(200, Map.of(), page);
    }

    /** Off to the page, which a reload then shows again without doing anything again. */
    static Reply seeThePage() {
        return new Reply(303, Map.of("Location", "/"), "");
    }

    static Reply refused(int status, String why) {
        return new Reply(status, Map.of(), Frame.message(why));
    }

    Reply with(String header, String value) {
        return new Reply(status, Map.of(header, value), page);
    }
}
