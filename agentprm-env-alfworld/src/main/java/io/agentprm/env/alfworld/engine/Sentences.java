package io.agentprm.env.alfworld.engine;

import java.util.List;

/** Lists in sentences. */
final class Sentences {
    private static final String NOTHING = "nothing";

    private Sentences() {}

    /** {@code nothing}; {@code x}; {@code x, and y}; {@code x, y, and z}. */
    static String list(List<String> items) {
        if (items.isEmpty()) {
            return NOTHING;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < items.size(); i++) {
            separate(text, i, items.size());
            text.append(items.get(i));
        }
        return text.toString();
    }

    /** Appends what stands before an item. */
    static void separate(StringBuilder text, int item, int count) {
        if (item > 0) {
            text.append(item == count - 1 ? ", and " : ", ");
        }
    }
}
