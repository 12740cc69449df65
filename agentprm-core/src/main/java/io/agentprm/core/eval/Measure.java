package io.agentprm.core.eval;

import io.agentprm.api.trajectory.Trajectory;
import java.util.Collection;
import java.util.Locale;

/**
 * What an episode is judged by. An episode that was truncated or aborted counts 0 in either:
 * nobody's result gets better because an environment fails.
 */
public enum Measure {
    /** 1 for a success, 0 otherwise. */
    SUCCESS {
        @Override
        public double of(Trajectory episode) {
            return episode.success() ? 1 : 0;
        }
    },

    /**
     * The outcome reward, in [0, 1]. Its mean, shown times 100, is what WebShop calls the score
     * (Yao et al. 2022, arXiv 2207.01206, section 3.1).
     */
    SCORE {
        @Override
        public double of(Trajectory episode) {
            return episode.outcome().orElse(0);
        }
    };

    /** The figure of an episode, in [0, 1]. */
    public abstract double of(Trajectory episode);

    /** The mean of episodes, in [0, 1]; 0 for none. */
    public double mean(Collection<Trajectory> episodes) {
        return episodes.stream().mapToDouble(this::of).average().orElse(0);
    }

    /** As tables and options call it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * True if one of the episodes has an outcome other than 0 and 1. Where none has, the score says
     * nothing that success does not say.
     */
    public static boolean graded(Collection<Trajectory> episodes) {
        return episodes.stream().mapToDouble(SCORE::of).anyMatch(o -> o != 0 && o != 1);
    }
}
