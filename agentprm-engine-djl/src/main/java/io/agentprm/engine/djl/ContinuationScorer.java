package io.agentprm.engine.djl;

import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.engine.djl.Prompts.Prompt;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Scores after the last tokens of continuations; each prompt is computed once, then cached. */
final class ContinuationScorer {
    private final Decoder decoder;
    private final Prompts prompts;

    ContinuationScorer(Decoder decoder, Prompts prompts) {
        this.decoder = decoder;
        this.prompts = prompts;
    }

    /**
     * Scores a batch.
     *
     * @param caches one for each request, cut back to what agrees with its prompt
     */
    List<double[]> run(
            List<ContinuationRequest> requests,
            List<Conversations.Entry> caches,
            LongConsumer computed) {
        List<Prompt> all = new ArrayList<>();
        int most = 0;
        int longest = 0;
        for (int i = 0; i < requests.size(); i++) {
            all.add(new Prompt(requests.get(i).prompt(), caches.get(i)));
            most = Math.max(most, requests.get(i).continuations().size());
            for (int[] continuation : requests.get(i).continuations()) {
                longest = Math.max(longest, continuation.length);
            }
        }
        computed.accept(
                prompts.run(
                        all,
                        (manager, bucket, window, last) ->
                                decoder.script()
                                        .call(
                                                manager,
                                                "extend",
                                                false,
                                                window.at(),
                                                window.prefix(),
                                                window.seen(),
                                                window.own(),
                                                0,
                                                decoder.weightList(),
                                                decoder.anglesFor(window.positions()))));
        try (NDManager manager = decoder.manager().newSubManager()) {
            return continuations(manager, requests, caches, most, longest, computed);
        }
    }

    private List<double[]> continuations(
            NDManager manager,
            List<ContinuationRequest> requests,
            List<Conversations.Entry> caches,
            int most,
            int longest,
            LongConsumer computed) {
        Tokens tokens = new Tokens(requests.size() * most, longest);
        List<Long> last = new ArrayList<>();
        for (int c = 0; c < requests.size(); c++) {
            int[] prompt = requests.get(c).prompt();
            List<int[]> continuations = requests.get(c).continuations();
            for (int i = 0; i < continuations.size(); i++) {
                int row = c * most + i;
                int before = prompt[prompt.length - 1];
                for (int t = 0; t < continuations.get(i).length; t++) {
                    tokens.put(row, t, continuations.get(i)[t], before, prompt.length + t);
                    before = continuations.get(i)[t];
                }
                last.add((long) row * longest + continuations.get(i).length - 1);
                computed.accept(continuations.get(i).length);
            }
        }
        Window window = Window.of(decoder, manager, caches, most, longest).with(tokens, manager);
        long[] places = last.stream().mapToLong(l -> l).toArray();
        float[] scores =
                decoder.script()
                        .call(
                                manager,
                                "scores",
                                false,
                                window.at(),
                                window.prefix(),
                                window.seen(),
                                window.own(),
                                0,
                                manager.create(places, new Shape(places.length)),
                                decoder.weightList(),
                                decoder.anglesFor(window.positions()))
                        .toFloatArray();
        List<double[]> result = new ArrayList<>();
        int at = 0;
        for (ContinuationRequest request : requests) {
            double[] own = new double[request.continuations().size()];
            for (int i = 0; i < own.length; i++) {
                own[i] = scores[at++];
            }
            result.add(own);
        }
        return result;
    }
}
