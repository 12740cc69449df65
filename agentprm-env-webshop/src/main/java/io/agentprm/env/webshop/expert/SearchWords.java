package io.agentprm.env.webshop.expert;

import io.agentprm.env.webshop.python.PythonText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What to search for, made of the instruction. */
public final class SearchWords {
    private static final Pattern PRICE = Pattern.compile(",? and price lower than .*$");
    private static final Pattern SIGNS = Pattern.compile("[^\\p{L}\\p{N}'&.#/%\"-]+");

    /** Words of requests, not of goods. */
    private static final Set<String> FILLERS =
            Set.of(
                    ("find me i am i'm looking look for need want would like to buy get show please"
                                    + " can you could help some that are is be which they them it"
                                    + " must should have has had do does with and also my a an the"
                                    + " of in or as")
                            .split(" "));

    private SearchWords() {}

    /** The instruction without its price and its fillers; never empty if the instruction is not. */
    public static String of(String instruction) {
        List<String> words = words(instruction);
        return words.isEmpty() ? plain(instruction) : String.join(" ", words);
    }

    /** The words that say what is wanted, in order. */
    static List<String> words(String instruction) {
        return Arrays.stream(SIGNS.split(plain(instruction)))
                .map(word -> word.replaceAll("[.'-]+$", ""))
                .filter(word -> !word.isEmpty() && !FILLERS.contains(word))
                .toList();
    }

    private static String plain(String instruction) {
        return PRICE.matcher(PythonText.lower(instruction))
                .replaceFirst("")
                .replace('[', '(')
                .replace(']', ')');
    }

    /**
     * Searches to choose from, as actions: all words first, then fewer and fewer of them from the
     * front.
     *
     * @param most at most so many; short instructions give fewer
     */
    public static List<String> suggestions(String instruction, int most) {
        List<String> words = words(instruction);
        Set<String> searches = new LinkedHashSet<>();
        searches.add("search[" + of(instruction) + "]");
        for (int left = words.size() - 1; left > 0 && searches.size() < most; left--) {
            searches.add("search[" + String.join(" ", words.subList(0, left)) + "]");
        }
        return List.copyOf(new ArrayList<>(searches).subList(0, Math.min(most, searches.size())));
    }
}
