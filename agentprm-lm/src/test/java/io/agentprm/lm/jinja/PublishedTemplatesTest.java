package io.agentprm.lm.jinja;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.lm.testing.ChatTemplates;
import io.agentprm.lm.testing.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Templates of published models give what Jinja2 gives, character for character. */
class PublishedTemplatesTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Templates that think, with and without; how they were made is said beside them. */
    @TestFactory
    Stream<DynamicTest> everyConversationWithReasonsIsRenderedAsByJinja2() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode example : MAPPER.readTree(ChatTemplates.text("expected.json"))) {
            String name = example.get("template").asText();
            Template template = Template.compile(name, ChatTemplates.text(name));
            Map<String, Object> variables = new LinkedHashMap<>();
            example.properties()
                    .forEach(
                            e ->
                                    variables.put(
                                            e.getKey(),
                                            MAPPER.convertValue(e.getValue(), Object.class)));
            variables.keySet().removeAll(List.of("template", "text"));
            tests.add(
                    DynamicTest.dynamicTest(
                            name + " " + tests.size(),
                            () ->
                                    assertEquals(
                                            example.get("text").asText(),
                                            template.render(variables))));
        }
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> everyConversationIsRenderedAsByJinja2() throws IOException {
        Path directory = SharedData.require("hf/chat-templates");
        JsonNode expected = MAPPER.readTree(directory.resolve("expected.json").toFile());
        List<DynamicTest> tests = new ArrayList<>();
        for (Map.Entry<String, JsonNode> file : expected.properties()) {
            Template template =
                    Template.compile(
                            file.getKey(), Files.readString(directory.resolve(file.getKey())));
            for (JsonNode example : file.getValue()) {
                tests.add(
                        DynamicTest.dynamicTest(
                                file.getKey() + " " + tests.size(), () -> same(example, template)));
            }
        }
        return tests.stream();
    }

    private static void same(JsonNode example, Template template) {
        assertEquals(example.get("text").asText(), template.render(variables(example)));
    }

    private static Map<String, Object> variables(JsonNode example) {
        return Map.of(
                "messages",
                MAPPER.convertValue(example.get("messages"), List.class),
                "add_generation_prompt",
                example.get("add_generation_prompt").asBoolean(),
                "bos_token",
                example.get("bos_token").asText(),
                "eos_token",
                example.get("eos_token").asText());
    }
}
