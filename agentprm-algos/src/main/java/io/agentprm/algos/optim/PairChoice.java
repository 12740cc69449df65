package io.agentprm.algos.optim;

import java.util.List;

/**
 * What becomes of a prompt: indices of the best and the worst of its distinct replies, or why there
 * is no pair.
 */
record PairChoice(Kind kind, int best, int worst) {
    enum Kind {
        /** A pair to learn from. */
        PAIR,
        /** All replies have the same text. */
        IDENTICAL,
        /** Best and worst differ by less than the minimal margin. */
        TIED,
        /** Fewer than two replies have a finite score. */
        NOT_FINITE
    }

    static PairChoice of(List<Reply> replies, double minMargin) {
        if (replies.size() < 2) {
            return new PairChoice(Kind.IDENTICAL, -1, -1);
        }
        int best = -1;
        int worst = -1;
        for (int i = 0; i < replies.size(); i++) {
            double score = replies.get(i).score();
            if (Double.isFinite(score)) {
                best = best < 0 || score > replies.get(best).score() ? i : best;
                worst = worst < 0 || score < replies.get(worst).score() ? i : worst;
            }
        }
        if (finite(replies) < 2) {
            return new PairChoice(Kind.NOT_FINITE, -1, -1);
        }
        double margin = replies.get(best).score() - replies.get(worst).score();
        return margin < minMargin || best == worst
                ? new PairChoice(Kind.TIED, best, worst)
                : new PairChoice(Kind.PAIR, best, worst);
    }

    private static long finite(List<Reply> replies) {
        return replies.stream().filter(reply -> Double.isFinite(reply.score())).count();
    }
}
