package io.agentprm.env.webshop.generator;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Goods with the same attributes and options.
 *
 * @param category one of the five
 * @param path first elements of the category path
 * @param price median in dollars
 * @param before attributes that stand before the goods in an instruction
 * @param with attributes that follow "with"
 * @param use attributes that follow "for"
 * @param words nouns for titles and texts
 * @param options values by the name of their group
 */
record Group(
        String category,
        String path,
        double price,
        List<String> before,
        List<String> with,
        List<String> use,
        List<String> words,
        Map<String, List<String>> options) {
    /** All attributes, the frequent ones of each kind first. */
    List<String> attributes() {
        return Stream.of(before, with, use).flatMap(List::stream).toList();
    }
}
