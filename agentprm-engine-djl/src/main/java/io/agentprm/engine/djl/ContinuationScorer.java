package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.engine.djl.Prompts.Prompt;
import io.agentprm.lm.decode.Conversations;
import io.agentprm.lm.decode.Recall;
import io.agentprm.lm.decode.Tokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** Scores after the last tokens of continuations; each prompt is computed once, then cached. */
final class ContinuationScorer {
    private final Decoder decoder;
    private final Conversations conversations;
    private final DjlCacheMemory memory;
    private final Prompts prompts;

    ContinuationScorer(
            Decoder decoder, Conversations conversations, DjlCacheMemory memory, Prompts prompts) {
        this.decoder = decoder;
        this.conversations = conversations;
        this.memory = memory;
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
        for (int i = 0; i < requests.size(); i++) {
            caches.get(i).dropBranches();
            all.add(new Prompt(requests.get(i).prompt(), caches.get(i)));
        }
        conversations.reserve(all.stream().mapToInt(p -> p.tokens().length).max().orElseThrow());
        computed.accept(
                prompts.run(
                        all,
                        (manager, bucket, arguments, last) ->
                                decoder.script().call(manager, "extend", false, arguments)));
        try (NDManager manager = decoder.manager().newSubManager()) {
            return continuations(manager, requests, caches, computed);
        }
    }

    private List<double[]> continuations(
            NDManager manager,
            List<ContinuationRequest> requests,
            List<Conversations.Entry> caches,
            LongConsumer computed) {
        int rows = requests.stream().mapToInt(r -> r.continuations().size()).sum();
        int longest =
                requests.stream()
                        .flatMap(r -> r.continuations().stream())
                        .mapToInt(c -> c.length)
                        .max()
                        .orElseThrow();
        Tokens tokens = new Tokens(rows, longest, Recall.of(decoder.config()));
        long[] last = new long[rows];
        int[] owners = new int[rows];
        int row = 0;
        for (int c = 0; c < requests.size(); c++) {
            int[] prompt = requests.get(c).prompt();
            for (int[] continuation : requests.get(c).continuations()) {
                for (int t = 0; t < continuation.length; t++) {
                    tokens.put(row, t, prompt, continuation, t);
                }
                owners[row] = c;
                last[row] = (long) row * longest + continuation.length - 1;
                computed.accept(continuation.length);
                row++;
            }
        }
        Window window = Window.of(decoder, memory, manager, caches);
        Script script = decoder.script();
        NDArray own = script.call(manager, "own", false, decoder.example(), rows, longest);
        Object[] arguments =
                decoder.extension(
                        manager,
                        tokens,
                        window.arguments(manager, owners, 0),
                        own,
                        Decoder.create(manager, new float[1], 1),
                        manager.create(new long[0], new Shape(0)));
        Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = manager.create(last, new Shape(rows));
        float[] scores = script.call(manager, "scores", false, all).toFloatArray();
        List<double[]> result = new ArrayList<>();
        Replies replies = new Replies(conversations);
        int at = 0;
        for (int c = 0; c < requests.size(); c++) {
            ContinuationRequest request = requests.get(c);
            double[] scored = new double[request.continuations().size()];
            for (int i = 0; i < scored.length; i++) {
                int[] reply = request.continuations().get(i);
                if (request.conversation().isPresent()) {
                    int[] columns = IntStream.range(0, reply.length).toArray();
                    replies.add(caches.get(c), reply, at, columns);
                }
                scored[i] = scores[at++];
            }
            result.add(scored);
        }
        replies.copy(manager, own, memory);
        return result;
    }
}
