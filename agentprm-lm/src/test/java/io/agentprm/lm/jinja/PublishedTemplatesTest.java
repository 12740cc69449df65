package io.agentprm.lm.jinja;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.lm.testing.ChatTemplates;
import io.agentprm.lm.testing.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Templates of published models give what Jinja2 gives, character for character. */
class PublishedTemplatesTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Templates that think, with and without; how they were made is said beside them. */
    @Test
    void everyConversationWithReasonsIsRenderedAsByJinja2() throws IOException {
        Set<String> templates = new TreeSet<>();
        for (JsonNode example : MAPPER.readTree(ChatTemplates.text("expected.json"))) {
            String name = example.get("template").asText();
            templates.add(name);
            assertRendered(name, ChatTemplates.text(name), example);
        }
        assertEquals(
                Set.of("qwen3.jinja", "qwen3-first.jinja", "smollm2-instruct.jinja"), templates);
    }

    @Test
    void everyConversationIsRenderedAsByJinja2() throws IOException {
        Path directory = SharedData.require("hf/chat-templates");
        JsonNode expected = MAPPER.readTree(directory.resolve("expected.json").toFile());
        assertTrue(expected.size() >= 5, "templates");
        for (Map.Entry<String, JsonNode> file : expected.properties()) {
            String source = Files.readString(directory.resolve(file.getKey()));
            assertTrue(file.getValue().size() > 0, file.getKey());
            for (JsonNode example : file.getValue()) {
                assertRendered(file.getKey(), source, example);
            }
        }
    }

    private static void assertRendered(String name, String source, JsonNode example) {
        Map<String, Object> variables = new LinkedHashMap<>();
        example.properties()
                .forEach(
                        e ->
                                variables.put(
                                        e.getKey(),
                                        MAPPER.convertValue(e.getValue(), Object.class)));
        variables.keySet().removeAll(List.of("template", "text"));
        assertEquals(
                example.get("text").asText(),
                Template.compile(name, source).render(variables),
                () -> name + " with " + variables);
    }
}
