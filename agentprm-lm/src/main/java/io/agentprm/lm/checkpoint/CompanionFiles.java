package io.agentprm.lm.checkpoint;

import io.agentprm.api.IoReasons;
import io.agentprm.lm.LanguageModelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files beside a checkpoint's weights that stay true when the weights change: tokenizer, chat
 * template, generation settings, licence. A model that is made from another one keeps them, so that
 * other tools read it as they read the first. They are held in memory, since a model may outlive
 * the directory that it came from. Immutable.
 */
public final class CompanionFiles {
    static final String TOKENIZER = "tokenizer.json";
    static final String GENERATION = "generation_config.json";

    private static final Set<String> KEPT =
            Set.of(
                    TOKENIZER,
                    GENERATION,
                    "added_tokens.json",
                    "chat_template.jinja",
                    "chat_template.json",
                    "merges.txt",
                    "special_tokens_map.json",
                    "tokenizer.model",
                    "tokenizer_config.json",
                    "vocab.json");

    private static final CompanionFiles NONE = new CompanionFiles(new TreeMap<>());

    private final SortedMap<String, byte[]> content;

    private CompanionFiles(SortedMap<String, byte[]> content) {
        this.content = content;
    }

    /** No files. */
    public static CompanionFiles none() {
        return NONE;
    }

    /**
     * Only a tokenizer.
     *
     * @param file a {@code tokenizer.json} of any name
     * @throws LanguageModelException if it cannot be read
     */
    public static CompanionFiles ofTokenizer(Path file) {
        SortedMap<String, byte[]> content = new TreeMap<>();
        content.put(TOKENIZER, read(file));
        return new CompanionFiles(content);
    }

    /**
     * Those of a model directory.
     *
     * @throws LanguageModelException if one of them cannot be read
     */
    public static CompanionFiles of(Path directory) {
        SortedMap<String, byte[]> content = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(CompanionFiles::kept)
                    .forEach(file -> content.put(file.getFileName().toString(), read(file)));
        } catch (IOException e) {
            throw new LanguageModelException(
                    "Cannot list " + directory + ": " + IoReasons.of(e), e);
        }
        return new CompanionFiles(content);
    }

    /** Their names, in alphabetical order. */
    public Set<String> names() {
        return Collections.unmodifiableSet(content.keySet());
    }

    /** These files, and the others in their place where names are the same. */
    CompanionFiles replacedBy(CompanionFiles others) {
        SortedMap<String, byte[]> both = new TreeMap<>(content);
        both.putAll(others.content);
        return new CompanionFiles(both);
    }

    /** Writes them into a directory, in the place of files of the same names. */
    public void writeTo(Path directory) throws IOException {
        for (Map.Entry<String, byte[]> file : content.entrySet()) {
            Files.write(directory.resolve(file.getKey()), file.getValue());
        }
    }

    private static boolean kept(Path file) {
        String name = file.getFileName().toString();
        return (KEPT.contains(name) || name.startsWith("LICENSE")) && Files.isRegularFile(file);
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new LanguageModelException("Cannot read " + file + ": " + IoReasons.of(e), e);
        }
    }
}
