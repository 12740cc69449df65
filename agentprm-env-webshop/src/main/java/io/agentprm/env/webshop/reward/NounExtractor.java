package io.agentprm.env.webshop.reward;

import java.util.List;

/**
 * Finds the nouns of a product's title, which decide whether what was bought is the kind of thing
 * that was wanted. Implementations are thread-safe.
 */
@FunctionalInterface
public interface NounExtractor {
    /**
     * The nouns and proper nouns in lower case and in order; one that comes twice is there twice.
     */
    List<String> nouns(String title);
}
