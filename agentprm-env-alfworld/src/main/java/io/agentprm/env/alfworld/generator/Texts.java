package io.agentprm.env.alfworld.generator;

import io.agentprm.env.alfworld.AlfworldException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Text resources of this package. */
final class Texts {
    private Texts() {}

    static String read(String name) {
        try (InputStream stream = Texts.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new AlfworldException(
                        "resource " + name + " is missing from the jar; build it again");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AlfworldException("resource " + name + " cannot be read", e);
        }
    }
}
