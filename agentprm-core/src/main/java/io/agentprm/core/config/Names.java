package io.agentprm.core.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Spelling of keys. */
public final class Names {
    private Names() {}

    /** {@code learningRate} and {@code LEARNING_RATE} become {@code learning-rate}. */
    static String kebab(String name) {
        if (name.equals(name.toUpperCase(Locale.ROOT))) {
            return name.toLowerCase(Locale.ROOT).replace('_', '-');
        }
        StringBuilder kebab = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c) && i > 0) {
                kebab.append('-');
            }
            kebab.append(Character.toLowerCase(c));
        }
        return kebab.toString();
    }

    static String child(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** The known name nearest to a misspelt one, if one is near. */
    public static Optional<String> nearest(String wanted, Collection<String> known) {
        String best = "";
        int bestDistance = Math.max(2, wanted.length() / 3) + 1;
        for (String name : known) {
            int distance = distance(wanted.toLowerCase(Locale.ROOT), name);
            if (distance < bestDistance) {
                best = name;
                bestDistance = distance;
            }
        }
        return best.isEmpty() ? Optional.empty() : Optional.of(best);
    }

    /** Levenshtein distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
