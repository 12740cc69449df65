package io.agentprm.engine.openai;

import io.agentprm.api.lm.TokenConstraint;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.trajectory.SampledTokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Draws among the replies that a constraint allows, token by token as an engine with logits would:
 * the log-probabilities of all allowed replies hold those of every token at every fork. What is
 * drawn carries the log-probabilities of the unconstrained model.
 */
final class ConstrainedDraw {
    /** More replies than any environment lists, few enough to ask about each. */
    private static final int MOST = 2048;

    private final TokenConstraint constraint;
    private final List<int[]> replies;
    private final List<double[]> logProbs;

    /**
     * @param logProbs for each reply one value per token, given the prompt
     */
    ConstrainedDraw(TokenConstraint constraint, List<int[]> replies, List<double[]> logProbs) {
        this.constraint = constraint;
        this.replies = replies;
        this.logProbs = logProbs;
    }

    /**
     * All replies that a constraint allows, in the order of their ids.
     *
     * @throws ServerException if they are too many to ask about each
     */
    static List<int[]> replies(TokenConstraint constraint) {
        List<int[]> replies = new ArrayList<>();
        collect(constraint.start(), new int[0], replies);
        return replies;
    }

    private static void collect(TokenConstraint.State state, int[] before, List<int[]> replies) {
        int[] allowed = state.allowed();
        if (allowed.length == 0) {
            replies.add(before);
        }
        for (int id : allowed) {
            if (replies.size() > MOST || before.length > MOST) {
                throw new ServerException(
                        "decoding: constrained allows more than "
                                + MOST
                                + " replies, too many to ask a server about each; use decoding:"
                                + " free");
            }
            int[] longer = Arrays.copyOf(before, before.length + 1);
            longer[before.length] = id;
            collect(state.next(id), longer, replies);
        }
    }

    /** One reply; at the length limit it is cut. */
    SampledTokens draw(Sampling sampling, RandomGenerator random) {
        int limit = sampling.maxNewTokens();
        int[] ids = new int[limit];
        double[] drawn = new double[limit];
        int length = 0;
        List<Integer> open = IntStream.range(0, replies.size()).boxed().toList();
        TokenConstraint.State state = constraint.start();
        while (length < limit && state.allowed().length > 0) {
            int at = length;
            int[] allowed = state.allowed();
            List<Integer> now = open;
            double[] here =
                    Arrays.stream(allowed).mapToDouble(id -> logProb(now, at, id)).toArray();
            int choice = choose(here, sampling, random);
            ids[at] = allowed[choice];
            drawn[at] = here[choice];
            open = now.stream().filter(r -> replies.get(r)[at] == ids[at]).toList();
            state = state.next(ids[at]);
            length++;
        }
        return SampledTokens.of(Arrays.copyOf(ids, length), Arrays.copyOf(drawn, length), 1);
    }

    private double logProb(List<Integer> open, int at, int id) {
        int reply = open.stream().filter(r -> replies.get(r)[at] == id).findFirst().orElseThrow();
        return logProbs.get(reply)[at];
    }

    /**
     * The likeliest at temperature 0, the first among equals; else by chance within the nucleus.
     */
    private static int choose(double[] logProbs, Sampling sampling, RandomGenerator random) {
        List<Integer> likeliestFirst =
                IntStream.range(0, logProbs.length)
                        .boxed()
                        .sorted((a, b) -> Double.compare(logProbs[b], logProbs[a]))
                        .toList();
        if (sampling.temperature() == 0) {
            return likeliestFirst.get(0);
        }
        double top = logProbs[likeliestFirst.get(0)];
        double[] weights =
                Arrays.stream(logProbs)
                        .map(value -> Math.exp((value - top) / sampling.temperature()))
                        .toArray();
        double mass = sampling.topP() * Arrays.stream(weights).sum();
        double kept = 0;
        List<Integer> nucleus = new ArrayList<>();
        for (int i : likeliestFirst) {
            if (nucleus.isEmpty() || kept < mass) {
                nucleus.add(i);
                kept += weights[i];
            }
        }
        double left = random.nextDouble() * kept;
        for (int i : nucleus) {
            left -= weights[i];
            if (left < 0) {
                return i;
            }
        }
        return nucleus.get(nucleus.size() - 1);
    }
}
