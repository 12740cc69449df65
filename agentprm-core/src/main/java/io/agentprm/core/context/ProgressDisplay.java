package io.agentprm.core.context;

import io.agentprm.api.run.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;

/**
 * Progress as text with rate and remaining time: one line that is rewritten on a terminal, a line
 * every few seconds elsewhere. Thread-safe.
 */
public final class ProgressDisplay {
    private static final long TERMINAL_MILLIS = 100;
    private static final long LOG_MILLIS = 5000;
    private static final int WIDTH = 20;

    private final Appendable out;
    private final boolean terminal;
    private final Clock clock;

    /**
     * Makes a display.
     *
     * @param out where the text goes
     * @param terminal true if lines can be rewritten there
     */
    public ProgressDisplay(Appendable out, boolean terminal, Clock clock) {
        this.out = out;
        this.terminal = terminal;
        this.clock = clock;
    }

    /**
     * Opens a bar.
     *
     * @param total number of units; 0 if unknown
     */
    public Progress open(String label, long total) {
        return new Bar(label, total);
    }

    private void print(String text) {
        try {
            out.append(text);
        } catch (IOException e) {
            throw new UncheckedIOException("progress cannot be shown", e);
        }
    }

    private final class Bar implements Progress {
        private final String label;
        private final long total;
        private final long started = clock.millis();
        private long shown = started;
        private long done;
        private String remark = "";
        private boolean closed;

        Bar(String label, long total) {
            this.label = label;
            this.total = total;
        }

        @Override
        public void advance(long units) {
            synchronized (ProgressDisplay.this) {
                done += units;
                show(false);
            }
        }

        @Override
        public void note(String text) {
            synchronized (ProgressDisplay.this) {
                remark = text;
                show(false);
            }
        }

        @Override
        public void close() {
            synchronized (ProgressDisplay.this) {
                if (!closed) {
                    show(true);
                    closed = true;
                }
            }
        }

        private void show(boolean last) {
            long now = clock.millis();
            if (closed || !last && now - shown < (terminal ? TERMINAL_MILLIS : LOG_MILLIS)) {
                return;
            }
            shown = now;
            String line = line(now - started);
            if (terminal) {
                // Back to the start of the line, and erase what a longer one left behind.
                print("\r" + line + "\u001b[K" + (last ? "\n" : ""));
            } else {
                print(line + "\n");
            }
        }

        private String line(long millis) {
            StringBuilder line = new StringBuilder(label).append("  ");
            if (total > 0) {
                int filled = (int) Math.min(WIDTH, done * WIDTH / total);
                line.append('[').append("#".repeat(filled)).append(".".repeat(WIDTH - filled));
                line.append("] ").append(done).append('/').append(total);
            } else {
                line.append(done);
            }
            if (millis > 0 && done > 0) {
                double rate = done * 1000.0 / millis;
                line.append(String.format(Locale.ROOT, rate < 10 ? "  %.2f/s" : "  %.0f/s", rate));
                if (total > done) {
                    long left = Math.round((total - done) / rate);
                    line.append("  ").append(words(Duration.ofSeconds(left))).append(" left");
                } else {
                    line.append("  ").append(words(Duration.ofMillis(millis)));
                }
            }
            return remark.isEmpty() ? line.toString() : line.append("  ").append(remark).toString();
        }
    }

    private static String words(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3600) {
            return seconds / 60 + "m" + String.format(Locale.ROOT, "%02ds", seconds % 60);
        }
        return seconds / 3600 + "h" + String.format(Locale.ROOT, "%02dm", seconds / 60 % 60);
    }
}
