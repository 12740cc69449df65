package io.agentprm.env.webshop.expert;

import io.agentprm.env.webshop.python.PythonText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What an instruction asks for, as far as a reader can tell. */
final class Wish {
    private static final Pattern LIMIT = Pattern.compile("price lower than ([0-9.]+) dollars");
    private static final Pattern WORDS = Pattern.compile("[^\\p{L}\\p{N}]+");
    private static final Pattern PAIR = Pattern.compile("(?: with |, and )[a-z ]{2,20}: ");

    private final String text;
    private final Set<String> words;
    private final double limit;
    private final int pairs;

    Wish(String instruction) {
        this.text = " " + PythonText.lower(instruction) + " ";
        this.words = new HashSet<>();
        SearchWords.words(instruction).forEach(word -> words.addAll(stems(word)));
        Matcher price = LIMIT.matcher(instruction);
        this.limit = price.find() ? Double.parseDouble(price.group(1)) : Double.POSITIVE_INFINITY;
        this.pairs = (int) PAIR.matcher(text).results().count();
    }

    /** Share of the wanted words that a text has. */
    double wordsIn(String other) {
        Set<String> found = stems(other);
        found.retainAll(words);
        return words.isEmpty() ? 0 : (double) found.size() / words.size();
    }

    private static Set<String> stems(String text) {
        return Arrays.stream(WORDS.split(PythonText.lower(text)))
                .filter(word -> !word.isEmpty())
                .map(
                        word ->
                                word.length() > 3 && word.endsWith("s")
                                        ? word.substring(0, word.length() - 1)
                                        : word)
                .collect(Collectors.toCollection(HashSet::new));
    }

    boolean affords(double price) {
        return price <= limit;
    }

    /** Values to choose, at most one of each option. */
    List<String> choices(Map<String, List<String>> options) {
        List<String> choices = new ArrayList<>();
        options.forEach((name, values) -> choice(name, values).ifPresent(choices::add));
        return choices;
    }

    /**
     * The longest value that is asked for by name ({@code size: x-large}) or, where names are not
     * given, that occurs in the text.
     */
    private Optional<String> choice(String name, List<String> values) {
        Optional<String> best = Optional.empty();
        for (String value : values) {
            boolean asked =
                    pairs > 0 ? asksFor(name + ": " + value) : value.length() > 1 && occurs(value);
            if (asked && value.length() > best.map(String::length).orElse(0)) {
                best = Optional.of(value);
            }
        }
        return best;
    }

    private boolean asksFor(String pair) {
        return text.contains(" " + pair + ", and ") || text.endsWith(" " + pair + " ");
    }

    private boolean occurs(String value) {
        int at = text.indexOf(value);
        while (at >= 0) {
            char before = at == 0 ? ' ' : text.charAt(at - 1);
            int end = at + value.length();
            char after = end == text.length() ? ' ' : text.charAt(end);
            if (!Character.isLetterOrDigit(before) && !Character.isLetterOrDigit(after)) {
                return true;
            }
            at = text.indexOf(value, at + 1);
        }
        return false;
    }

    /** Number of options that the instruction names; 0 if it names none, as people's do. */
    int namedOptions() {
        return pairs;
    }
}
