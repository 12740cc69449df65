package io.agentprm.engine.onnx;

import io.agentprm.lm.decode.Buckets;
import io.agentprm.lm.decode.Conversations;
import io.agentprm.lm.decode.Tokens;
import java.util.Arrays;
import java.util.List;

/** Runs the part of prompts that their caches do not hold yet, and fills the caches. */
final class Prompts {
    private static final int[] NONE = {};

    /** A prompt and its cache, already cut back to what agrees with the prompt. */
    @SuppressWarnings("ArrayRecordComponent")
    record Prompt(int[] tokens, Conversations.Entry cache) {
        int missing() {
            return tokens.length - cache.length();
        }
    }

    /** Asks for what is wanted at the end of the prompts of a bucket, and reads it. */
    interface Reader {
        /**
         * @param bucket numbers of the prompts
         * @param last numbers of the last tokens of the prompts in the pass
         */
        Questions ask(int[] bucket, long[] last);

        void read(int[] bucket, Network.Outputs outputs);
    }

    /** Wants nothing but filled caches. */
    static final Reader FILL =
            new Reader() {
                @Override
                public Questions ask(int[] bucket, long[] last) {
                    return Questions.none();
                }

                @Override
                public void read(int[] bucket, Network.Outputs outputs) {}
            };

    private final Network network;
    private final KeyValueMemory memory;
    private final int maxTokens;

    Prompts(Network network, KeyValueMemory memory, int maxTokens) {
        this.network = network;
        this.memory = memory;
        this.maxTokens = maxTokens;
    }

    /**
     * Fills the caches, which have room.
     *
     * @return number of tokens computed
     */
    long run(List<Prompt> prompts, Reader reader) {
        int[] missing = prompts.stream().mapToInt(Prompt::missing).toArray();
        int[] slots = prompts.stream().mapToInt(p -> p.cache().slot()).toArray();
        for (int[] bucket : Buckets.of(missing, slots, maxTokens)) {
            run(Arrays.stream(bucket).mapToObj(prompts::get).toList(), bucket, reader);
        }
        return Arrays.stream(missing).sum();
    }

    private void run(List<Prompt> chosen, int[] bucket, Reader reader) {
        int[] slots = chosen.stream().mapToInt(p -> p.cache().slot()).toArray();
        int held = chosen.stream().mapToInt(p -> p.cache().length()).max().orElseThrow();
        int needed = chosen.stream().mapToInt(p -> p.tokens().length).max().orElseThrow();
        Network.Outputs outputs;
        try (Window window = Window.of(memory, held, needed, slots)) {
            Pass pass = new Pass(window.sequences());
            Tokens tokens =
                    new Tokens(
                            1, chosen.stream().mapToInt(Prompt::missing).sum(), network.recall());
            long[] last = new long[bucket.length];
            for (int i = 0; i < bucket.length; i++) {
                Prompt prompt = chosen.get(i);
                int from = prompt.cache().length();
                tokens.put(0, pass.tokens(), prompt.tokens(), from);
                pass.add(window.sequence(slots[i]), from, NONE, from, prompt.missing());
                last[i] = pass.tokens() - 1;
            }
            outputs = network.run(pass, tokens.planes(), window, reader.ask(bucket, last));
        }
        for (Prompt prompt : chosen) {
            int from = prompt.cache().length();
            prompt.cache()
                    .append(Arrays.copyOfRange(prompt.tokens(), from, prompt.tokens().length));
        }
        reader.read(bucket, outputs);
    }
}
