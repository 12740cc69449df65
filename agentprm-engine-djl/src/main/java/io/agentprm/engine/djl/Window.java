package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.jni.IValue;
import io.agentprm.lm.checkpoint.ModelConfig;
import java.util.List;

/**
 * What new tokens of a batch attend to: a prefix for each conversation, shared by its rows, and the
 * rows' own earlier tokens.
 *
 * @param at the new tokens
 * @param prefix [layers, 2, conversations, kv heads, longest, headDim]
 * @param seen additive mask over the prefix, [conversations, 1, 1, longest]
 * @param own [layers, 2, rows, kv heads, capacity, headDim], written by kernels
 * @param positions largest position of the new tokens plus one
 */
record Window(NDArray at, NDArray prefix, NDArray seen, NDArray own, int positions) {

    /** A window over the caches, with room for new tokens but none yet. */
    static Window of(
            Decoder decoder,
            NDManager manager,
            List<Conversations.Entry> caches,
            int rowsEach,
            int capacity) {
        long[] lengths = caches.stream().mapToLong(Conversations.Entry::length).toArray();
        int longest = caches.stream().mapToInt(Conversations.Entry::length).max().orElseThrow();
        List<NDArray> arrays = caches.stream().map(Conversations.Entry::keysValues).toList();
        NDArray prefix;
        try (IValue list = Script.list(arrays)) {
            prefix = decoder.script().call(manager, "gather", false, list, lengths, longest);
        }
        float[] seen = new float[caches.size() * longest];
        for (int c = 0; c < caches.size(); c++) {
            for (int p = (int) lengths[c]; p < longest; p++) {
                seen[c * longest + p] = Float.NEGATIVE_INFINITY;
            }
        }
        ModelConfig config = decoder.config();
        int rows = caches.size() * rowsEach;
        NDArray own =
                manager.zeros(
                        new Shape(
                                config.layers(),
                                2,
                                rows,
                                config.kvHeads(),
                                capacity,
                                config.headDim()));
        return new Window(
                own, prefix, Decoder.create(manager, seen, caches.size(), 1, 1, longest), own, 0);
    }

    /** The same window with new tokens. */
    Window with(Tokens tokens, NDManager manager) {
        return new Window(tokens.at(manager), prefix, seen, own, tokens.positions());
    }

    /** The same window for some of its conversations, and for these rows of its own tokens. */
    Window keep(Decoder decoder, NDManager manager, long[] conversations, long[] rows) {
        NDArray chosen = manager.create(conversations, new Shape(conversations.length));
        NDArray chosenRows = manager.create(rows, new Shape(rows.length));
        Script script = decoder.script();
        NDArray smaller = script.call(manager, "keep", false, own, 2, chosenRows);
        return new Window(
                smaller,
                script.call(manager, "keep", false, prefix, 2, chosen),
                script.call(manager, "keep", false, seen, 0, chosen),
                smaller,
                0);
    }
}
