package io.agentprm.engine.onnx;

import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.engine.onnx.Prompts.Prompt;
import io.agentprm.lm.decode.Conversations;
import io.agentprm.lm.decode.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Scores after the last tokens of continuations; each prompt is computed once, then cached. */
final class Scores {
    private static final int[] NONE = {};

    private final Network network;
    private final Conversations conversations;
    private final KeyValueMemory memory;
    private final Prompts prompts;

    Scores(Network network, Conversations conversations, KeyValueMemory memory, Prompts prompts) {
        this.network = network;
        this.conversations = conversations;
        this.memory = memory;
        this.prompts = prompts;
    }

    /**
     * Scores a batch.
     *
     * @param caches one for each request, cut back to what agrees with its prompt
     * @param results gets the scores, in order
     * @return number of tokens computed
     */
    long run(
            List<ContinuationRequest> requests,
            List<Conversations.Entry> caches,
            List<double[]> results) {
        List<Prompt> all = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            caches.get(i).dropBranches();
            all.add(new Prompt(requests.get(i).prompt(), caches.get(i)));
        }
        conversations.reserve(requests.stream().mapToInt(Scores::columns).max().orElseThrow());
        long computed = prompts.run(all, Prompts.FILL);
        int[] slots = caches.stream().mapToInt(Conversations.Entry::slot).toArray();
        try (Window window = Window.of(memory, slots)) {
            return computed + continuations(requests, caches, slots, window, results);
        }
    }

    /** Of the prompt, and of all continuations behind it. */
    private static int columns(ContinuationRequest request) {
        return request.prompt().length
                + request.continuations().stream().mapToInt(c -> c.length).sum();
    }

    private long continuations(
            List<ContinuationRequest> requests,
            List<Conversations.Entry> caches,
            int[] slots,
            Window window,
            List<double[]> results) {
        int count =
                requests.stream()
                        .flatMap(r -> r.continuations().stream())
                        .mapToInt(c -> c.length)
                        .sum();
        Tokens tokens = new Tokens(1, count, network.recall());
        Pass pass = new Pass(window.sequences());
        List<Long> marks = new ArrayList<>();
        for (int i = 0; i < slots.length; i++) {
            int[] prompt = requests.get(i).prompt();
            for (int[] continuation : requests.get(i).continuations()) {
                for (int t = 0; t < continuation.length; t++) {
                    tokens.put(0, pass.tokens() + t, prompt, continuation, t);
                }
                int sequence = window.sequence(slots[i]);
                int column = prompt.length + pass.length(sequence);
                pass.add(sequence, prompt.length, NONE, column, continuation.length);
                marks.add(pass.tokens() - 1L);
            }
        }
        float[] scores =
                network.run(
                                pass,
                                tokens.planes(),
                                window,
                                Questions.scores(
                                        marks.stream().mapToLong(Long::longValue).toArray()))
                        .of(DecoderGraph.SCORES);
        int at = 0;
        for (int i = 0; i < slots.length; i++) {
            List<int[]> own = requests.get(i).continuations();
            double[] scored = new double[own.size()];
            int column = requests.get(i).prompt().length;
            for (int c = 0; c < scored.length; c++) {
                int end = column + own.get(c).length;
                caches.get(i).branch(own.get(c), IntStream.range(column, end).toArray());
                column = end;
                scored[c] = scores[at++];
            }
            results.add(scored);
        }
        return count;
    }
}
