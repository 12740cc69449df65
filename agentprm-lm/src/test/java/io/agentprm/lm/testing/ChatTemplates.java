package io.agentprm.lm.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Chat templates of published models, and what they give, among the tests' resources. */
public final class ChatTemplates {
    private ChatTemplates() {}

    /** The text of a file of the folder. */
    public static String text(String name) {
        try (InputStream in = ChatTemplates.class.getResourceAsStream("/chat-templates/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
