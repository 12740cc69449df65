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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The chat template of a model directory: {@code chat_template.jinja}, or else the {@code
 * chat_template} of {@code tokenizer_config.json}, with the special tokens that its text may spell.
 * Immutable and thread-safe.
 */
public final class ChatTemplate {
    private static final String CONFIG = "tokenizer_config.json";
    private static final String TEMPLATE = "chat_template.jinja";
    private static final String TOKENIZER = "tokenizer.json";

    private static final String MESSAGES = "messages";
    private static final String REPLY_FOLLOWS = "add_generation_prompt";

    private final Path directory;
    private final String source;
    private final Template template;
    private final Map<String, Object> variables;
    private final Map<String, Integer> tokens;
    private final Set<String> special;

    private ChatTemplate(
            Path directory,
            String source,
            Template template,
            Map<String, Object> variables,
            Map<String, Integer> tokens,
            Set<String> special) {
        this.directory = directory;
        this.source = source;
        this.template = template;
        this.variables = variables;
        this.tokens = tokens;
        this.special = special;
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
        Map<String, Object> names = new LinkedHashMap<>();
        for (String key : List.of("bos_token", "eos_token")) {
            names.put(key, token(config.path(key)));
        }
        JsonNode tokenizer = json(directory.resolve(TOKENIZER));
        return new ChatTemplate(
                directory,
                source,
                Template.compile(name, source),
                Collections.unmodifiableMap(names),
                tokens(tokenizer),
                special(tokenizer));
    }

    /**
     * The same template with variables of its own set, such as Qwen3's {@code enable_thinking}.
     *
     * @param more texts, numbers and truth values by name
     * @throws LanguageModelException if the template does not mention one, or one is not for others
     *     to set
     */
    public ChatTemplate with(Map<String, ?> more) {
        Map<String, Object> all = new LinkedHashMap<>(variables);
        for (Map.Entry<String, ?> variable : more.entrySet()) {
            String name = variable.getKey();
            if (name.equals(MESSAGES) || name.equals(REPLY_FOLLOWS)) {
                throw new LanguageModelException(
                        name + " is set by the conversation; take it out of template-variables");
            }
            if (!mentions(name)) {
                throw new LanguageModelException(
                        this
                                + " does not mention '"
                                + name
                                + "'; correct its name in template-variables or take it out");
            }
            all.put(name, variable.getValue());
        }
        return new ChatTemplate(
                directory, source, template, Collections.unmodifiableMap(all), tokens, special);
    }

    /** As a word: {@code enable_think} is not mentioned by {@code enable_thinking}. */
    private boolean mentions(String name) {
        return Pattern.compile("(?<!\\w)" + Pattern.quote(name) + "(?!\\w)").matcher(source).find();
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

    /** Of those, the ones that no text has in it; not, say, the {@code <think>} of a reply. */
    private static Set<String> special(JsonNode tokenizer) {
        Set<String> special = new LinkedHashSet<>();
        for (JsonNode token : tokenizer.path("added_tokens")) {
            if (token.path("special").asBoolean(true)) {
                special.add(token.path("content").asText());
            }
        }
        return special;
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
        Map<String, Object> all = new LinkedHashMap<>(variables);
        all.put(
                MESSAGES,
                messages.stream()
                        .map(m -> Map.of("role", m.role(), "content", m.content()))
                        .toList());
        all.put(REPLY_FOLLOWS, replyFollows);
        return template.render(all);
    }

    /** Ids of the tokens that stand for themselves wherever the template's text spells them. */
    public Map<String, Integer> tokens() {
        return tokens;
    }

    /**
     * Of these, the ones that a reply does not have in it: all that the tokenizer calls special.
     */
    public Map<String, Integer> specialTokens() {
        Map<String, Integer> out = new LinkedHashMap<>(tokens);
        out.keySet().retainAll(special);
        return out;
    }

    @Override
    public String toString() {
        return "the chat template of " + directory;
    }
}
