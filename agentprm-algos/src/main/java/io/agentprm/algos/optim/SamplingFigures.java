package io.agentprm.algos.optim;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ObjDoubleConsumer;

/** Figures of one batch of sampled replies: means over samples, shares of prompts. */
final class SamplingFigures {
    private final Map<PairChoice.Kind, Integer> kinds = new EnumMap<>(PairChoice.Kind.class);
    private final KlEstimates kl = new KlEstimates();
    private double prompts;
    private double marginSum;
    private double samples;
    private double tokens;
    private double surprise;
    private double notStopped;
    private double scored;
    private double scoreSum;

    /** Adds a prompt with what became of it. */
    void add(List<Reply> replies, PairChoice choice) {
        prompts++;
        kinds.merge(choice.kind(), 1, Integer::sum);
        if (choice.kind() == PairChoice.Kind.PAIR) {
            marginSum += replies.get(choice.best()).score() - replies.get(choice.worst()).score();
        }
    }

    /** Adds a distinct reply with the reference's log-probabilities of its tokens. */
    void add(Reply reply, double[] reference) {
        double[] own = reply.tokens().logProbs();
        kl.add(own, reference, reply.count());
        samples += reply.count();
        tokens += (double) reply.count() * own.length;
        for (double logProb : own) {
            surprise -= reply.count() * logProb;
        }
        notStopped += reply.stopped() ? 0 : reply.count();
        if (reply.stopped() && Double.isFinite(reply.score())) {
            scored += reply.count();
            scoreSum += reply.count() * reply.score();
        }
    }

    void report(ObjDoubleConsumer<String> sink) {
        for (PairChoice.Kind kind : PairChoice.Kind.values()) {
            String name =
                    kind == PairChoice.Kind.PAIR
                            ? "kept"
                            : kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
            sink.accept("pairs-" + name, kinds.getOrDefault(kind, 0) / prompts);
        }
        if (kinds.containsKey(PairChoice.Kind.PAIR)) {
            sink.accept("score-margin", marginSum / kinds.get(PairChoice.Kind.PAIR));
        }
        kl.report(sink);
        sink.accept("reply-tokens", tokens / samples);
        sink.accept("entropy", surprise / tokens);
        sink.accept("non-stop", notStopped / samples);
        if (scored > 0) {
            sink.accept("score", scoreSum / scored);
        }
    }
}
