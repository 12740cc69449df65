package io.agentprm.lm.tokenizer;

import java.util.List;
import java.util.Set;

/**
 * The texts of a vocabulary by id, and the ids of those that are byte symbols: text that spells a
 * special token is no special token.
 */
final class Symbols {
    private final List<String> texts;
    private final Set<Integer> specials;
    private final TextTable ids;

    /**
     * @param texts byte symbols, each once, or the literal text of a special token
     * @param specials ids of special tokens
     */
    Symbols(List<String> texts, Set<Integer> specials) {
        this.texts = List.copyOf(texts);
        this.specials = Set.copyOf(specials);
        this.ids = new TextTable(texts.size());
        for (int id = 0; id < texts.size(); id++) {
            if (!specials.contains(id)) {
                ids.put(texts.get(id), id);
            }
        }
    }

    List<String> texts() {
        return texts;
    }

    Set<Integer> specials() {
        return specials;
    }

    /** The id of byte symbols, or {@link TextTable#NONE}. */
    int id(String symbols) {
        return ids.get(symbols);
    }

    /** The id of the byte symbols that two tokens make. */
    int id(String left, String right) {
        return ids.get(left, right);
    }

    /** The bytes of a token; a special one has none. */
    byte[] bytes(int id) {
        return specials.contains(id) ? new byte[0] : ByteAlphabet.toBytes(texts.get(id));
    }
}
