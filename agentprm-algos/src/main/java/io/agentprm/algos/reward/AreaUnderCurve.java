package io.agentprm.algos.reward;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Area under the receiver operating characteristic: the probability that a positive scores above a
 * negative, ties counting half (Mann-Whitney).
 */
final class AreaUnderCurve {
    /** A score and the side that it should be on. */
    record Case(double score, boolean positive) {}

    private AreaUnderCurve() {}

    /** Empty if there are positives only or negatives only. */
    static OptionalDouble of(List<Case> cases) {
        Case[] sorted = cases.toArray(Case[]::new);
        Arrays.sort(sorted, Comparator.comparingDouble(Case::score));
        double positives = 0;
        double rankSum = 0;
        for (int i = 0; i < sorted.length; ) {
            int j = i;
            int here = 0;
            while (j < sorted.length && sorted[j].score() == sorted[i].score()) {
                here += sorted[j].positive() ? 1 : 0;
                j++;
            }
            positives += here;
            rankSum += here * (i + 1 + j) / 2.0;
            i = j;
        }
        double negatives = sorted.length - positives;
        return positives == 0 || negatives == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        (rankSum - positives * (positives + 1) / 2) / (positives * negatives));
    }
}
