package io.agentprm.env.webshop.suite;

import io.agentprm.api.run.RandomSource;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.goal.GoalBook;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/** Which goals are in which split. */
final class GoalSplits {
    /** The split of the goals whose products are held out. */
    private static final String UNSEEN = "unseen";

    private final Map<String, Positions> splits;

    private GoalSplits(Map<String, Positions> splits) {
        this.splits = splits;
    }

    /** Names of the splits that there are. */
    static List<String> names(Variant variant, double heldOut) {
        List<String> names = new ArrayList<>(variant.splits());
        if (heldOut > 0) {
            names.add(UNSEEN);
        }
        return List.copyOf(names);
    }

    /**
     * The splits of a variant, without the goals of products held out, and these.
     *
     * @param heldOut share of the products, in [0, 1), drawn one by one
     */
    static GoalSplits of(Variant variant, GoalBook goals, double heldOut, long seed) {
        Map<String, Positions> splits = new LinkedHashMap<>();
        for (String split : variant.splits()) {
            splits.put(split, variant.positions(split, goals.size()));
        }
        if (heldOut > 0) {
            RandomSource draws = RandomSource.of(seed).derive("held-out-products");
            IntPredicate out =
                    position ->
                            draws.derive(goals.product(position)).generator().nextDouble()
                                    < heldOut;
            splits.replaceAll((name, positions) -> positions.where(out.negate()));
            splits.put(UNSEEN, Positions.between(0, goals.size()).where(out));
            splits.forEach(GoalSplits::requireSome);
        }
        return new GoalSplits(splits);
    }

    private static void requireSome(String split, Positions positions) {
        if (positions.count() == 0) {
            throw new WebshopException(
                    "held-out-products leaves no goal in split "
                            + split
                            + "; set it nearer to one half, or take more products");
        }
    }

    Positions positions(String split) {
        return splits.get(split);
    }
}
