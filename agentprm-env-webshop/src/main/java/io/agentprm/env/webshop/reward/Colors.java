package io.agentprm.env.webshop.reward;

import io.agentprm.env.webshop.goal.GoalOption;
import java.util.List;
import java.util.Optional;

/** Options that name a colour count as that colour, whatever else they say. */
public final class Colors {
    /** In the original's order, which decides where a text holds several. */
    private static final List<String> COLORS =
            List.of(
                    ("alabaster apricot aqua ash asphalt azure banana beige black blue blush"
                                    + " bordeaux bronze brown burgundy camel camo caramel champagne"
                                    + " charcoal cheetah chestnut chocolate christmas coffee cognac"
                                    + " copper coral cranberry cream crystal dark denim eggplant"
                                    + " elephant espresso fuchsia gold granite grape graphite grass"
                                    + " gray green grey heather indigo ivory ivy khaki lavender"
                                    + " lemon leopard light lilac lime magenta maroon mauve merlot"
                                    + " midnight mint mocha multicolor mushroom mustard natural navy"
                                    + " nude olive orange peach pewter pink plum purple rainbow red"
                                    + " rose royal rust sand sapphire seashell silver skull slate"
                                    + " steel stone stonewash sunflower tan taupe teal tiger"
                                    + " turquoise violet walnut wheat white wine yellow")
                            .split(" "));

    private Colors() {}

    /**
     * The first colour in the text, or the text if it holds none. Parts of words count: {@code tan}
     * is in {@code instant}.
     */
    public static String normalise(String text) {
        return first(text).orElse(text);
    }

    private static Optional<String> first(String text) {
        return COLORS.stream().filter(text::contains).findFirst();
    }

    /**
     * The same of a goal's option. One with a name was a pair in Python, where only a name or value
     * that is a colour and nothing else counts; what is left is compared as {@code ('size', 'xl')}.
     */
    public static String normalise(GoalOption option) {
        if (option.name().isEmpty()) {
            return normalise(option.value());
        }
        String name = option.name().get();
        return COLORS.stream()
                .filter(color -> color.equals(name) || color.equals(option.value()))
                .findFirst()
                .orElseGet(option::pythonText);
    }
}
