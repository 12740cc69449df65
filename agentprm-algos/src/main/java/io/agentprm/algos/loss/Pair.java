package io.agentprm.algos.loss;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.api.lm.TrainingRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A preferred and a rejected segment. In a tree with branches, branches 1 and 2 are a pair, 3 and 4
 * the next, the preferred one first, not counting anchors; rows without branches pair up by group,
 * the preferred one first.
 */
record Pair(Side chosen, Side rejected) {
    record Side(int row, int segment) {}

    static List<Pair> of(List<TrainingRow> rows) {
        List<Pair> pairs = new ArrayList<>();
        Map<Long, List<Side>> groups = new LinkedHashMap<>();
        for (int r = 0; r < rows.size(); r++) {
            if (rows.get(r).tree().segments().size() == 1) {
                groups.computeIfAbsent(rows.get(r).group(), g -> new ArrayList<>())
                        .add(new Side(r, 0));
            }
            List<Side> sides = branches(rows.get(r), r);
            if (sides.size() % 2 == 1) {
                throw new AlgorithmException(
                        "row " + r + " has " + sides.size() + " branches, which do not pair up");
            }
            for (int b = 0; b < sides.size(); b += 2) {
                pairs.add(new Pair(sides.get(b), sides.get(b + 1)));
            }
        }
        groups.forEach(
                (group, sides) -> {
                    if (group < 0 || sides.size() != 2) {
                        throw new AlgorithmException(
                                "rows without branches must come in groups of two, group "
                                        + group
                                        + " has "
                                        + sides.size()
                                        + " row(s)");
                    }
                    pairs.add(new Pair(sides.get(0), sides.get(1)));
                });
        return pairs;
    }

    private static List<Side> branches(TrainingRow row, int number) {
        return IntStream.range(1, row.tree().segments().size())
                .filter(branch -> !row.has(DpoLoss.ANCHOR, branch))
                .mapToObj(branch -> new Side(number, branch))
                .toList();
    }

    /** Number of pairs of a batch; none is an error. */
    static double count(List<TrainingRow> batch) {
        int pairs = of(batch).size();
        if (pairs == 0) {
            throw new AlgorithmException(
                    "the batch has no preference pair: there is nothing to learn from");
        }
        return pairs;
    }
}
