package io.agentprm.env.alfworld.expert;

import io.agentprm.api.run.RandomSource;
import java.util.Comparator;

/**
 * Where to look first. A place that must be opened takes a step more, so its probability counts
 * less.
 */
record Search(PlacementPrior prior, SearchOrder order, RandomSource episode) {
    /** Worth of a place that opens, as a share of one that does not. */
    private static final double OPENING = 1.6;

    /** Receptacles, best place for a thing of the class first. */
    Comparator<String> placesFor(String thing) {
        Comparator<String> worth =
                switch (order) {
                    case PRIOR ->
                            Comparator.comparingDouble(
                                    (String receptacle) -> -worth(receptacle, thing));
                    case REVERSE ->
                            Comparator.comparingDouble(
                                    (String receptacle) -> worth(receptacle, thing));
                    case RANDOM ->
                            Comparator.comparingLong(
                                    (String receptacle) -> episode.derive(receptacle).seed());
                };
        return worth.thenComparing(Memory::classOf).thenComparing(Memory::numberOf);
    }

    private double worth(String receptacle, String thing) {
        String type = Memory.classOf(receptacle);
        double probability = prior.probability(type, thing);
        return prior.opens(type) ? probability / OPENING : probability;
    }
}
