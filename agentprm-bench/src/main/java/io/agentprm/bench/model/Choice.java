package io.agentprm.bench.model;

import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.LanguageModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Choosing among replies, as the policy best-of-n does it. */
final class Choice {
    private Choice() {}

    /** Name of the conversation of an episode. */
    static String conversation(int episode) {
        return "e" + episode;
    }

    /** The first reply to each state. */
    static int[][] first(List<List<Generation>> replies) {
        return replies.stream().map(r -> r.get(0).tokens().ids()).toArray(int[][]::new);
    }

    /** The reply to each state that the reward model scores highest; equal ones count once. */
    static int[][] best(LanguageModel reward, int[][] states, List<List<Generation>> replies) {
        List<ContinuationRequest> requests = new ArrayList<>();
        for (int e = 0; e < states.length; e++) {
            Map<List<Integer>, int[]> distinct = new LinkedHashMap<>();
            for (Generation reply : replies.get(e)) {
                int[] ids = reply.tokens().ids();
                distinct.put(Arrays.stream(ids).boxed().toList(), ids);
            }
            requests.add(
                    new ContinuationRequest(
                            states[e],
                            List.copyOf(distinct.values()),
                            Optional.of(conversation(e))));
        }
        List<double[]> scores = reward.score(requests);
        int[][] chosen = new int[states.length][];
        for (int e = 0; e < states.length; e++) {
            int best = 0;
            for (int i = 1; i < scores.get(e).length; i++) {
                best = scores.get(e)[i] > scores.get(e)[best] ? i : best;
            }
            chosen[e] = requests.get(e).continuations().get(best);
        }
        return chosen;
    }

    /** Tokens one after the other. */
    static int[] join(int[]... parts) {
        return Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray();
    }
}
