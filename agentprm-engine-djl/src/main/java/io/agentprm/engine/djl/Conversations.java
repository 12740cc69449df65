package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import io.agentprm.lm.checkpoint.ModelConfig;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Key-value caches by conversation, of bounded size: the one unused for longest goes first. What a
 * cache holds is known by its tokens and used as far as they agree with a prompt.
 */
final class Conversations {
    /** The cache of one token sequence: [layers, 2, kv heads, capacity, headDim]. */
    static final class Entry {
        private NDArray keysValues;
        private int[] tokens = {};

        private Entry(NDArray keysValues) {
            this.keysValues = keysValues;
        }

        NDArray keysValues() {
            return keysValues;
        }

        int length() {
            return tokens.length;
        }

        /** Keeps as much of the cache as agrees with the prompt, at most {@code limit} tokens. */
        void truncateTo(int[] prompt, int limit) {
            int agreeing = Arrays.mismatch(tokens, prompt);
            int common = agreeing < 0 ? prompt.length : agreeing;
            tokens = Arrays.copyOf(tokens, Math.min(Math.min(common, limit), tokens.length));
        }

        /** These tokens' keys and values have been written behind the others. */
        void append(int[] more) {
            int before = tokens.length;
            tokens = Arrays.copyOf(tokens, before + more.length);
            System.arraycopy(more, 0, tokens, before, more.length);
        }

        private int capacity() {
            return (int) keysValues.getShape().get(3);
        }
    }

    private static final int SMALLEST_CAPACITY = 64;

    private final Decoder decoder;
    private final long maxBytes;
    private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    Conversations(Decoder decoder, long maxBytes) {
        this.decoder = decoder;
        this.maxBytes = maxBytes;
    }

    /** The cache of a conversation, or a new one that the caller must {@link #discard}. */
    Entry open(Optional<String> name) {
        return name.map(n -> entries.computeIfAbsent(n, k -> create())).orElseGet(this::create);
    }

    private Entry create() {
        ModelConfig c = decoder.config();
        return new Entry(
                decoder.manager()
                        .zeros(
                                new Shape(
                                        c.layers(),
                                        2,
                                        c.kvHeads(),
                                        SMALLEST_CAPACITY,
                                        c.headDim())));
    }

    /** Makes room for so many tokens in all. */
    void reserve(Entry entry, int length) {
        if (length > entry.capacity()) {
            NDArray old = entry.keysValues;
            entry.keysValues =
                    decoder.script()
                            .call(
                                    decoder.manager(),
                                    "grown",
                                    false,
                                    old,
                                    entry.length(),
                                    Math.max(length, entry.capacity() * 3 / 2));
            old.close();
        }
    }

    /** Frees the caches of requests without a name. */
    void discard(List<Entry> unnamed) {
        unnamed.forEach(e -> e.keysValues.close());
    }

    /** Frees the longest unused caches until the rest is within bounds. */
    void trim(Set<String> inUse) {
        long bytes = bytes();
        Iterator<Map.Entry<String, Entry>> oldest = entries.entrySet().iterator();
        while (bytes > maxBytes && oldest.hasNext()) {
            Map.Entry<String, Entry> candidate = oldest.next();
            if (!inUse.contains(candidate.getKey())) {
                bytes -= bytes(candidate.getValue());
                candidate.getValue().keysValues.close();
                oldest.remove();
            }
        }
    }

    /** Native memory held by all caches. */
    long bytes() {
        return entries.values().stream().mapToLong(this::bytes).sum();
    }

    private long bytes(Entry entry) {
        return bytesPerToken() * entry.capacity();
    }

    long bytesPerToken() {
        ModelConfig c = decoder.config();
        return (long) c.layers() * 2 * c.kvHeads() * c.headDim() * Float.BYTES;
    }

    void release(String name) {
        Entry entry = entries.remove(name);
        if (entry != null) {
            entry.keysValues.close();
        }
    }

    /** Frees everything: the weights have changed. */
    void clear() {
        entries.values().forEach(e -> e.keysValues.close());
        entries.clear();
    }
}
