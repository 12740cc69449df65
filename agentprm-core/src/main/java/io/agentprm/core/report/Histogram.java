package io.agentprm.core.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Distributions over the same bins of equal width.
 *
 * @param title short
 * @param note how to read it; may be empty
 * @param label what the x axis shows
 * @param low left edge of the first bin
 * @param high right edge of the last bin
 * @param groups one distribution each; all have the same number of bins
 */
public record Histogram(
        String title, String note, String label, double low, double high, List<Group> groups) {
    public Histogram {
        groups = List.copyOf(groups);
        if (!(low < high)) {
            throw new IllegalArgumentException(
                    "histogram '" + title + "' goes from " + low + " to " + high);
        }
        for (Group group : groups) {
            if (group.counts().size() != groups.get(0).counts().size()) {
                throw new IllegalArgumentException(
                        "histogram '" + title + "': groups differ in their number of bins");
            }
        }
    }

    /** One distribution: a count for each bin. */
    public record Group(String name, List<Long> counts) {
        public Group {
            counts = List.copyOf(counts);
        }

        /**
         * Counts values into bins of equal width. Values outside go into the first or last bin, the
         * upper edge into the last.
         */
        public static Group of(String name, double[] values, double low, double high, int bins) {
            long[] counts = new long[bins];
            for (double value : values) {
                int bin = (int) Math.floor((value - low) / (high - low) * bins);
                counts[Math.max(0, Math.min(bins - 1, bin))]++;
            }
            List<Long> list = new ArrayList<>();
            for (long count : counts) {
                list.add(count);
            }
            return new Group(name, list);
        }

        long total() {
            return counts.stream().mapToLong(Long::longValue).sum();
        }
    }
}
