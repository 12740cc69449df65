package io.agentprm.lm.decode;

import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Cuts batches into pieces of bounded padded size, longest first, such that padding and the fixed
 * cost of every piece together are least.
 */
public final class Groups {
    /** What a piece costs beside its tokens, in tokens: an estimate for small models. */
    private static final int COST_OF_PIECE = 192;

    private Groups() {}

    /** Micro-batches of training rows; rows of one group stay together. */
    public static List<List<TrainingRow>> of(List<TrainingRow> batch, int maxTokens) {
        Map<Object, List<TrainingRow>> groups = new LinkedHashMap<>();
        for (TrainingRow row : batch) {
            Object key = row.group() < 0 ? new Object() : row.group();
            groups.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
        }
        List<Item<List<TrainingRow>>> items =
                groups.values().stream()
                        .map(rows -> new Item<>(rows, rows.size(), longest(rows)))
                        .toList();
        return pieces(items, maxTokens).stream()
                .map(piece -> piece.stream().flatMap(List::stream).toList())
                .toList();
    }

    /** Numbers of rows in pieces of at most so many padded tokens. */
    public static List<int[]> ofRows(List<TokenTree> rows, int maxTokens) {
        List<Item<Integer>> items =
                IntStream.range(0, rows.size())
                        .mapToObj(i -> new Item<>(i, 1, rows.get(i).length()))
                        .toList();
        return pieces(items, maxTokens).stream()
                .map(piece -> piece.stream().mapToInt(i -> i).toArray())
                .toList();
    }

    private static int longest(List<TrainingRow> rows) {
        return rows.stream().mapToInt(row -> row.tree().length()).max().orElse(0);
    }

    /**
     * Cheapest cuts of the sorted items, by dynamic programming over where the last piece starts.
     */
    private static <T> List<List<T>> pieces(List<Item<T>> items, int maxTokens) {
        List<Item<T>> sorted = new ArrayList<>(items);
        sorted.sort(Comparator.comparingInt((Item<T> item) -> item.length()).reversed());
        int n = sorted.size();
        long[] cost = new long[n + 1];
        int[] next = new int[n + 1];
        Arrays.fill(cost, 0, n, Long.MAX_VALUE);
        for (int start = n - 1; start >= 0; start--) {
            long rows = 0;
            for (int end = start + 1; end <= n; end++) {
                rows += sorted.get(end - 1).rows();
                long padded = rows * sorted.get(start).length();
                if (padded > maxTokens && end > start + 1) {
                    break;
                }
                if (padded + COST_OF_PIECE + cost[end] < cost[start]) {
                    cost[start] = padded + COST_OF_PIECE + cost[end];
                    next[start] = end;
                }
            }
        }
        List<List<T>> result = new ArrayList<>();
        for (int start = 0; start < n; start = next[start]) {
            result.add(sorted.subList(start, next[start]).stream().map(Item::value).toList());
        }
        return result;
    }

    private record Item<T>(T value, int rows, int length) {}
}
