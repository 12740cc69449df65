package io.agentprm.engine.djl;

import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** Cuts batches into pieces of bounded padded size, longest first, so that little is padding. */
final class Groups {
    private Groups() {}

    /** Micro-batches of training rows; rows of one group stay together. */
    static List<List<TrainingRow>> of(List<TrainingRow> batch, int maxTokens) {
        Map<Object, List<TrainingRow>> groups = new LinkedHashMap<>();
        for (TrainingRow row : batch) {
            Object key = row.group() < 0 ? new Object() : row.group();
            groups.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
        }
        List<List<TrainingRow>> sorted = new ArrayList<>(groups.values());
        ToIntFunction<List<TrainingRow>> longest =
                rows -> rows.stream().mapToInt(row -> row.tree().length()).max().orElse(0);
        sorted.sort(Comparator.comparingInt(longest).reversed());
        List<List<TrainingRow>> result = new ArrayList<>();
        List<TrainingRow> current = new ArrayList<>();
        int width = 0;
        for (List<TrainingRow> group : sorted) {
            long padded = (long) (current.size() + group.size()) * Math.max(width, 1);
            if (!current.isEmpty() && padded > maxTokens) {
                result.add(current);
                current = new ArrayList<>();
            }
            if (current.isEmpty()) {
                width = longest.applyAsInt(group);
            }
            current.addAll(group);
        }
        if (!current.isEmpty()) {
            result.add(current);
        }
        return result;
    }

    /** Numbers of rows in pieces of at most so many padded tokens. */
    static List<int[]> ofRows(List<TokenTree> rows, int maxTokens) {
        List<Integer> sorted = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            sorted.add(i);
        }
        sorted.sort(Comparator.comparingInt((Integer i) -> rows.get(i).length()).reversed());
        List<int[]> result = new ArrayList<>();
        int start = 0;
        while (start < sorted.size()) {
            int width = rows.get(sorted.get(start)).length();
            int end = Math.min(sorted.size(), start + Math.max(1, maxTokens / width));
            result.add(sorted.subList(start, end).stream().mapToInt(i -> i).toArray());
            start = end;
        }
        return result;
    }
}
