package io.agentprm.lm.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.agentprm.api.IoReasons;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.jinja.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The chat template of a model directory: {@code chat_template.jinja}, or else the {@code
 * chat_template} of {@code tokenizer_config.json}, with the special tokens that its text may spell.
 * Immutable and thread-safe.
 */
public final class ChatTemplate {
    private static final String CONFIG = "tokenizer_config.json";
    private static final String TEMPLATE = "chat_template.jinja";
    private static final String TOKENIZER = "tokenizer.json";

    private final Path directory;
    private final Template template;
    private final Map<String, String> names;
    private final Map<String, Integer> tokens;

    private ChatTemplate(
            Path directory,
            Template template,
            Map<String, String> names,
            Map<String, Integer> tokens) {
        this.directory = directory;
        this.template = template;
        this.names = names;
        this.tokens = tokens;
    }

    /**
     * Reads the template of a model directory.
     *
     * @throws LanguageModelException if there is none, or a file cannot be read
     */
    public static ChatTemplate read(Path directory) {
        JsonNode config = json(directory.resolve(CONFIG));
        Path file = directory.resolve(TEMPLATE);
        String source = source(directory).orElseThrow(() -> missing(directory));
        String name =
                Files.isRegularFile(file)
                        ? file.toString()
                        : directory.resolve(CONFIG) + ", chat_template";
        Map<String, String> names = new LinkedHashMap<>();
        for (String key : List.of("bos_token", "eos_token")) {
            names.put(key, token(config.path(key)));
        }
        return new ChatTemplate(
                directory,
                Template.compile(name, source),
                Collections.unmodifiableMap(names),
                tokens(json(directory.resolve(TOKENIZER))));
    }

    /**
     * Where a model's template lies: in its directory or, for an adapter without one, its base's.
     */
    public static Path place(ModelDirectory model) {
        return source(model.path()).isPresent() ? model.path() : model.base().path();
    }

    /**
     * The text of a model directory's template, where it has one.
     *
     * @throws LanguageModelException if a file cannot be read
     */
    public static Optional<String> source(Path directory) {
        Path file = directory.resolve(TEMPLATE);
        return Files.isRegularFile(file)
                ? Optional.of(text(file))
                : inline(json(directory.resolve(CONFIG)).path("chat_template"));
    }

    /** A text, or several by name, of which one is the default. */
    private static Optional<String> inline(JsonNode node) {
        if (node.isTextual()) {
            return Optional.of(node.asText());
        }
        for (JsonNode named : node) {
            if (named.path("name").asText().equals("default")) {
                return Optional.of(named.path("template").asText());
            }
        }
        return Optional.empty();
    }

    /** A token is written as a text, or as an object that holds it. */
    private static String token(JsonNode node) {
        return node.isObject()
                ? node.path("content").asText()
                : node.isTextual() ? node.asText() : "";
    }

    /** Single characters are left out: text is made of them. */
    private static Map<String, Integer> tokens(JsonNode tokenizer) {
        Map<String, Integer> tokens = new LinkedHashMap<>();
        for (JsonNode token : tokenizer.path("added_tokens")) {
            String content = token.path("content").asText();
            if (content.length() > 1) {
                tokens.put(content, token.path("id").asInt());
            }
        }
        return Collections.unmodifiableMap(tokens);
    }

    private static JsonNode json(Path file) {
        try {
            return Files.isRegularFile(file)
                    ? JsonMapper.builder().build().readTree(Files.readAllBytes(file))
                    : JsonMapper.builder().build().createObjectNode();
        } catch (IOException e) {
            throw new LanguageModelException("Cannot read " + file + ": " + IoReasons.of(e), e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new LanguageModelException("Cannot read " + file + ": " + IoReasons.of(e), e);
        }
    }

    private static LanguageModelException missing(Path directory) {
        return new LanguageModelException(
                directory
                        + " has no chat template: neither "
                        + TEMPLATE
                        + " nor a chat_template in "
                        + CONFIG
                        + "; add one, or use the plain prompt");
    }

    /**
     * The conversation as text.
     *
     * @param replyFollows whether the text goes on to where the assistant's next message begins
     * @throws LanguageModelException if the template refuses the conversation
     */
    public String render(List<Message> messages, boolean replyFollows) {
        Map<String, Object> variables = new LinkedHashMap<>(names);
        variables.put(
                "messages",
                messages.stream()
                        .map(m -> Map.of("role", m.role(), "content", m.content()))
                        .toList());
        variables.put("add_generation_prompt", replyFollows);
        return template.render(variables);
    }

    /** Ids of the tokens that stand for themselves wherever the template's text spells them. */
    public Map<String, Integer> tokens() {
        return tokens;
    }

    @Override
    public String toString() {
        return "the chat template of " + directory;
    }
}
