package io.agentprm.lm.check;

import io.agentprm.api.AgentPrmException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Largest deviations by block and quantity, each against its tolerance. */
public final class CheckReport {
    /** Quantities with their tolerances: what float32 arithmetic in another order may differ by. */
    public enum Quantity {
        LOGIT("logits", 2e-4),
        LOG_PROB("log-probabilities", 2e-4),
        HIDDEN("hidden states", 5e-5),
        LOSS("loss", 2e-5),
        LATER_LOSS("loss after updates", 1e-3),
        SUMMED_LOG_PROB("summed log-probabilities", 2e-4),
        GRADIENT_NORM("gradient norms, relative", 1e-4),
        GRADIENT("gradient entries / largest", 1e-4),
        WEIGHT("weights after AdamW", 1e-5),
        WEIGHT_NORM("weight norms after AdamW, relative", 2e-5),
        FREQUENCY("rotary frequencies, relative", 1e-6),
        SCALE("scale", 1e-12),
        EXACT("exact values that differ", 0);

        private final String label;
        private final double tolerance;

        Quantity(String label, double tolerance) {
            this.label = label;
            this.tolerance = tolerance;
        }
    }

    private final Appendable out;
    private final Map<Quantity, Double> largest = new LinkedHashMap<>();
    private boolean passed = true;

    CheckReport(Appendable out) {
        this.out = out;
    }

    /** Runs one block and writes a line for each of its quantities. */
    void within(String block, Consumer<CheckReport> work) {
        largest.clear();
        try {
            work.accept(this);
        } catch (AgentPrmException | IllegalArgumentException e) {
            fail(block, e.getMessage());
        }
        if (largest.isEmpty()) {
            fail(block, "nothing was compared");
        }
        largest.forEach(
                (quantity, deviation) -> {
                    boolean good = deviation <= quantity.tolerance;
                    passed &= good;
                    line(
                            "%-32s %-36s %9.2e of %7.1e  %s",
                            block,
                            quantity.label,
                            deviation,
                            quantity.tolerance,
                            good ? "ok" : "EXCEEDED");
                });
    }

    /** A failure that is not a deviation. */
    public void fail(String block, String reason) {
        passed = false;
        line("%-32s FAILED: %s", block, reason);
    }

    /** Of something that the engine cannot compute. */
    void skip(String block, String what) {
        line("%-32s not checked: %s", block, what);
    }

    boolean passed() {
        return passed;
    }

    /** Absolute deviation. A value that is not a number deviates without bound. */
    public void compare(Quantity quantity, double expected, double actual) {
        record(quantity, Math.abs(expected - actual));
    }

    /** Deviation as a share of the expected value. */
    public void compareRelative(Quantity quantity, double expected, double actual) {
        record(quantity, Math.abs(expected - actual) / Math.max(Math.abs(expected), 1e-30));
    }

    /** Counts values that must be equal and are not. */
    public void same(long expected, long actual) {
        largest.merge(Quantity.EXACT, expected == actual ? 0.0 : 1.0, Double::sum);
    }

    private void record(Quantity quantity, double deviation) {
        double known = Double.isNaN(deviation) ? Double.POSITIVE_INFINITY : deviation;
        largest.merge(quantity, known, Math::max);
    }

    private void line(String format, Object... arguments) {
        try {
            out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the report", e);
        }
    }
}
