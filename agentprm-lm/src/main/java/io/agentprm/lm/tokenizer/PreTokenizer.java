package io.agentprm.lm.tokenizer;

import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How text is cut into pieces; tokens never cross a cut. Every character falls into exactly one
 * piece, so the pieces in order are the text.
 */
public enum PreTokenizer {
    /** The rule of GPT-2: words, numbers and runs of other signs, each with one leading space. */
    GPT2("'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"),

    /**
     * For closed vocabularies: a word or a number with one leading space; every other sign and
     * every other white space, a newline too, alone. {@code "a cabinet 12.\n"} is cut into {@code
     * "a"}, {@code " cabinet"}, {@code " 12"}, {@code "."}, {@code "\n"}.
     */
    WORDS(" ?\\p{L}+| ?\\p{N}+|[^\\s\\p{L}\\p{N}]|\\s"),

    /** As {@link #WORDS}, but numbers fall into single digits, the first with its space. */
    WORDS_AND_DIGITS(" ?\\p{L}+| ?\\p{N}|[^\\s\\p{L}\\p{N}]|\\s");

    private final String regex;
    private final Pattern pattern;

    PreTokenizer(String regex) {
        this.regex = regex;
        // Without the flag \s would be ASCII only, unlike in the library that reads tokenizer.json.
        this.pattern = Pattern.compile(regex, Pattern.UNICODE_CHARACTER_CLASS);
    }

    /** The expression as it stands in tokenizer.json. */
    String regex() {
        return regex;
    }

    void split(String text, Consumer<String> pieces) {
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            pieces.accept(matcher.group());
        }
    }
}
