package io.agentprm.core.config;

import io.agentprm.core.config.ConfigNode.Entries;
import io.agentprm.core.config.ConfigNode.Items;
import io.agentprm.core.config.ConfigNode.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Settings as people write them in a sentence: {@code n = 8, temperature 0.4}. */
final class ConfigWords {
    private ConfigWords() {}

    /** A piece for every key that has a value, nested ones under their path. */
    static List<String> of(ConfigNode settings) {
        List<String> pieces = new ArrayList<>();
        collect(settings, "", pieces);
        return pieces;
    }

    private static void collect(ConfigNode node, String path, List<String> pieces) {
        if (node instanceof Entries entries) {
            entries.values()
                    .forEach(
                            (key, entry) -> collect(entry.value(), Names.child(path, key), pieces));
        } else if (!value(node).isEmpty()) {
            // A letter alone reads as a symbol, a word as a word.
            pieces.add(path + (path.length() == 1 ? " = " : " ") + value(node));
        }
    }

    private static String value(ConfigNode node) {
        if (node instanceof Items items) {
            return items.values().stream()
                    .map(item -> item instanceof Entries ? inBrackets(item) : value(item))
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        return node instanceof Scalar scalar ? scalar.text() : "";
    }

    private static String inBrackets(ConfigNode node) {
        return "(" + String.join(", ", of(node)) + ")";
    }
}
