package io.agentprm.testkit;

import io.agentprm.api.lm.Tokenizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * One token per word, words being what white space separates. Ids 0, 1 and 2 are padding, begin of
 * sequence and end of turn; the words follow in the order given.
 */
public final class WordTokenizer implements Tokenizer {
    private static final int FIRST_WORD = 3;

    private final List<String> words;
    private final Map<String, Integer> ids = new HashMap<>();

    private WordTokenizer(List<String> words) {
        this.words = List.copyOf(words);
        for (int i = 0; i < words.size(); i++) {
            ids.put(words.get(i), FIRST_WORD + i);
        }
    }

    /** A tokenizer of these words; repeated ones count once. */
    public static WordTokenizer of(List<String> words) {
        return new WordTokenizer(new ArrayList<>(new LinkedHashSet<>(words)));
    }

    /** A tokenizer of all words of the texts, sorted. */
    public static WordTokenizer ofTexts(List<String> texts) {
        SortedSet<String> words = new TreeSet<>();
        for (String text : texts) {
            words.addAll(split(text));
        }
        return new WordTokenizer(new ArrayList<>(words));
    }

    /** The words, in the order of their ids. */
    public List<String> words() {
        return words;
    }

    /** The id of one word. */
    public int id(String word) {
        Integer id = ids.get(word);
        if (id == null) {
            throw new TestkitException("unknown word '" + word + "'; known are " + words);
        }
        return id;
    }

    @Override
    public int[] encode(String text) {
        return split(text).stream().mapToInt(this::id).toArray();
    }

    @Override
    public String decode(int[] tokens) {
        List<String> text = new ArrayList<>();
        for (int token : tokens) {
            if (token >= FIRST_WORD) {
                text.add(words.get(token - FIRST_WORD));
            }
        }
        return String.join(" ", text);
    }

    @Override
    public int vocabularySize() {
        return FIRST_WORD + words.size();
    }

    @Override
    public int beginOfSequence() {
        return 1;
    }

    @Override
    public int endOfTurn() {
        return 2;
    }

    @Override
    public int padding() {
        return 0;
    }

    private static List<String> split(String text) {
        String stripped = text.strip();
        return stripped.isEmpty() ? List.of() : List.of(stripped.split("\\s+"));
    }
}
