package io.agentprm.lm.checkpoint;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * How a low-rank adapter changes a frozen model (Hu et al. 2021, section 4.1): weights W of some
 * linear maps become W + scale × B A. Names and defaults are those of PEFT's {@code LoraConfig}.
 *
 * @param rank rows of A and columns of B
 * @param alpha the scale times the rank
 * @param targetModules names of the linear maps in each layer, such as {@code q_proj}
 * @param dropout share of the inputs of A that training sets to 0; in [0, 1)
 * @param rslora whether the scale is alpha / √rank (Kalajdzievski 2023, section 3) and not alpha /
 *     rank
 */
@Description("Low-rank adapter over a frozen checkpoint, as PEFT makes and reads it.")
public record LoraConfig(
        @Description("Rank of the change of each weight.") @Default("8") int rank,
        @Description("Scale of the change times the rank.") @Default("8.0") double alpha,
        @Description(
                        "Linear maps of each layer that are adapted: q_proj, k_proj, v_proj,"
                                + " o_proj, gate_proj, up_proj, down_proj.")
                @Default("[q_proj, v_proj]")
                List<String> targetModules,
        @Description("Share of the adapter's inputs that training sets to 0.") @Default("0.0")
                double dropout,
        @Description("Divides alpha by the root of the rank instead of the rank.") @Default("false")
                boolean rslora) {
    /** The linear maps of a layer, in the order of a checkpoint. */
    static final List<String> MODULES =
            List.of("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj");

    /** Checks the ranges. */
    public LoraConfig {
        targetModules = List.copyOf(new LinkedHashSet<>(targetModules));
        require(rank >= 1, "rank must be at least 1, was " + rank);
        require(alpha > 0 && alpha <= Double.MAX_VALUE, "alpha must be above 0, was " + alpha);
        require(dropout >= 0 && dropout < 1, "dropout must lie in [0, 1), was " + dropout);
        require(
                !targetModules.isEmpty() && MODULES.containsAll(targetModules),
                "target-modules must be some of " + MODULES + ", was " + targetModules);
    }

    /** The defaults. */
    public static LoraConfig defaults() {
        return new LoraConfig(8, 8, List.of("q_proj", "v_proj"), 0, false);
    }

    /** Factor of every change: alpha / rank, or alpha / √rank. */
    public double scale() {
        return alpha / (rslora ? Math.sqrt(rank) : rank);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
