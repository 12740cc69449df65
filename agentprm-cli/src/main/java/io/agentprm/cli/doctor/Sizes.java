package io.agentprm.cli.doctor;

import java.util.Locale;

/** Sizes in bytes as text. */
final class Sizes {
    private Sizes() {}

    static long gigabytes(long count) {
        return count << 30;
    }

    static String text(long bytes) {
        return String.format(Locale.ROOT, "%.1f GB", bytes / (double) (1 << 30));
    }
}
