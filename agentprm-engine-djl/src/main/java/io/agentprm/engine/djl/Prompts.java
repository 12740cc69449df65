package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.jni.IValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Runs the part of prompts that their caches do not hold yet, and fills the caches. */
final class Prompts {
    /** A prompt and its cache, already cut back to what agrees with the prompt. */
    record Prompt(int[] tokens, Conversations.Entry cache) {
        int missing() {
            return tokens.length - cache.length();
        }
    }

    /** What is done with the last layer's output at the end of the prompts of a bucket. */
    interface Reader {
        /**
         * Runs a kernel.
         *
         * @param bucket numbers of the prompts
         * @param window arguments of the kernel {@code extend}
         * @param last place of each prompt's last token in the flattened bucket
         */
        void read(NDManager manager, int[] bucket, Window window, NDArray last);
    }

    private final Decoder decoder;
    private final Conversations conversations;
    private final int maxTokens;

    Prompts(Decoder decoder, Conversations conversations, int maxTokens) {
        this.decoder = decoder;
        this.conversations = conversations;
        this.maxTokens = maxTokens;
    }

    /**
     * Fills the caches.
     *
     * @return number of tokens computed
     */
    long run(List<Prompt> prompts, Reader reader) {
        long computed = 0;
        for (int[] bucket : buckets(prompts)) {
            try (NDManager manager = decoder.manager().newSubManager()) {
                computed += run(manager, prompts, bucket, reader);
            }
        }
        return computed;
    }

    /** Prompts that miss about equally many tokens run together. */
    private List<int[]> buckets(List<Prompt> prompts) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < prompts.size(); i++) {
            if (prompts.get(i).missing() > 0) {
                order.add(i);
            }
        }
        order.sort(Comparator.comparingInt((Integer i) -> prompts.get(i).missing()).reversed());
        List<int[]> out = new ArrayList<>();
        int start = 0;
        while (start < order.size()) {
            int width = prompts.get(order.get(start)).missing();
            int end = start + 1;
            while (end < order.size()
                    && (end + 1 - start) * (long) width <= maxTokens
                    && 2 * prompts.get(order.get(end)).missing() > width) {
                end++;
            }
            out.add(order.subList(start, end).stream().mapToInt(i -> i).toArray());
            start = end;
        }
        return out;
    }

    private long run(NDManager manager, List<Prompt> prompts, int[] bucket, Reader reader) {
        List<Prompt> chosen = Arrays.stream(bucket).mapToObj(prompts::get).toList();
        int width = chosen.stream().mapToInt(Prompt::missing).max().orElseThrow();
        Tokens tokens = new Tokens(bucket.length, width);
        long[] last = new long[bucket.length];
        long computed = 0;
        for (int r = 0; r < bucket.length; r++) {
            Prompt prompt = chosen.get(r);
            tokens.put(r, prompt.tokens(), prompt.cache().length());
            last[r] = (long) r * width + prompt.missing() - 1;
            computed += prompt.missing();
        }
        List<Conversations.Entry> caches = chosen.stream().map(Prompt::cache).toList();
        Window window = Window.of(decoder, manager, caches, 1, width);
        reader.read(
                manager,
                bucket,
                window.with(tokens, manager),
                manager.create(last, new Shape(last.length)));
        long[] lengths = chosen.stream().mapToLong(Prompt::missing).toArray();
        store(manager, window.own(), caches, lengths, chosen);
        return computed;
    }

    private void store(
            NDManager manager,
            NDArray own,
            List<Conversations.Entry> caches,
            long[] lengths,
            List<Prompt> chosen) {
        for (Prompt prompt : chosen) {
            conversations.reserve(prompt.cache(), prompt.tokens().length);
        }
        scatter(decoder, manager, own, caches, lengths);
        for (Prompt prompt : chosen) {
            int from = prompt.cache().length();
            prompt.cache()
                    .append(Arrays.copyOfRange(prompt.tokens(), from, prompt.tokens().length));
        }
    }

    /** Copies the first tokens of each row of a batch's own cache behind the row's entry. */
    static void scatter(
            Decoder decoder,
            NDManager manager,
            NDArray own,
            List<Conversations.Entry> caches,
            long[] lengths) {
        List<NDArray> arrays = caches.stream().map(Conversations.Entry::keysValues).toList();
        long[] starts = caches.stream().mapToLong(Conversations.Entry::length).toArray();
        try (IValue list = Script.list(arrays)) {
            decoder.script().call(manager, "scatter", false, own, list, starts, lengths);
        }
    }
}
