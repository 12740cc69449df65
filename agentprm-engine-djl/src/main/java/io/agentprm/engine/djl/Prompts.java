package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.agentprm.lm.decode.Buckets;
import io.agentprm.lm.decode.Conversations;
import io.agentprm.lm.decode.Recall;
import io.agentprm.lm.decode.Tokens;
import java.util.Arrays;
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
         * @param arguments of the kernel {@code extend}
         * @param last place of each prompt's last token in the flattened bucket
         */
        void read(NDManager manager, int[] bucket, Object[] arguments, NDArray last);
    }

    private final Decoder decoder;
    private final Conversations conversations;
    private final DjlCacheMemory memory;
    private final int maxTokens;

    Prompts(Decoder decoder, Conversations conversations, DjlCacheMemory memory, int maxTokens) {
        this.decoder = decoder;
        this.conversations = conversations;
        this.memory = memory;
        this.maxTokens = maxTokens;
    }

    /**
     * Fills the caches, which have room.
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

    private List<int[]> buckets(List<Prompt> prompts) {
        return Buckets.of(
                prompts.stream().mapToInt(Prompt::missing).toArray(),
                prompts.stream().mapToInt(p -> p.cache().slot()).toArray(),
                maxTokens);
    }

    private long run(NDManager manager, List<Prompt> prompts, int[] bucket, Reader reader) {
        List<Prompt> chosen = Arrays.stream(bucket).mapToObj(prompts::get).toList();
        int width = chosen.stream().mapToInt(Prompt::missing).max().orElseThrow();
        Tokens tokens = new Tokens(bucket.length, width, Recall.of(decoder.config()));
        long[] last = new long[bucket.length];
        long[] put = new long[2 * bucket.length * width];
        Arrays.fill(put, put.length / 2, put.length, conversations.scratch());
        long computed = 0;
        for (int r = 0; r < bucket.length; r++) {
            Prompt prompt = chosen.get(r);
            int from = prompt.cache().length();
            tokens.put(r, 0, prompt.tokens(), from);
            last[r] = (long) r * width + prompt.missing() - 1;
            for (int t = 0; t < width; t++) {
                put[r * width + t] = prompt.cache().slot();
            }
            for (int t = 0; t < prompt.missing(); t++) {
                put[put.length / 2 + r * width + t] = from + t;
            }
            computed += prompt.missing();
        }
        Window window =
                Window.of(decoder, memory, manager, chosen.stream().map(Prompt::cache).toList());
        int[] rows = new int[bucket.length];
        Arrays.setAll(rows, i -> i);
        reader.read(
                manager,
                bucket,
                decoder.extension(
                        manager,
                        tokens,
                        window.arguments(manager, rows, 0),
                        memory.buffer(),
                        Decoder.create(manager, new float[1], 1),
                        manager.create(put, new Shape(2, bucket.length, width))),
                manager.create(last, new Shape(last.length)));
        for (Prompt prompt : chosen) {
            int from = prompt.cache().length();
            prompt.cache()
                    .append(Arrays.copyOfRange(prompt.tokens(), from, prompt.tokens().length));
        }
        return computed;
    }
}
