package io.agentprm.testkit;

import io.agentprm.api.lm.TrainingRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Cuts a batch into micro-batches of at most so many padded tokens, never inside a group. */
final class MicroBatches {
    private MicroBatches() {}

    static List<List<TrainingRow>> split(List<TrainingRow> batch, int maxTokens) {
        List<List<TrainingRow>> result = new ArrayList<>();
        List<TrainingRow> current = new ArrayList<>();
        for (List<TrainingRow> group : groups(batch)) {
            List<TrainingRow> joined = new ArrayList<>(current);
            joined.addAll(group);
            if (!current.isEmpty() && paddedTokens(joined) > maxTokens) {
                result.add(current);
                current = new ArrayList<>(group);
            } else {
                current = joined;
            }
        }
        if (!current.isEmpty()) {
            result.add(current);
        }
        return result;
    }

    private static Iterable<List<TrainingRow>> groups(List<TrainingRow> batch) {
        Map<Object, List<TrainingRow>> groups = new LinkedHashMap<>();
        for (TrainingRow row : batch) {
            Object key = row.group() < 0 ? new Object() : row.group();
            groups.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
        }
        return groups.values();
    }

    private static long paddedTokens(List<TrainingRow> rows) {
        return (long) rows.size()
                * rows.stream().mapToInt(row -> row.tree().length()).max().orElse(0);
    }
}
