package io.agentprm.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A finite Markov decision process with observable states, one word each. Actions not defined in a
 * state are invalid there: they leave the state as it is and cost a turn. An episode that reaches
 * the step limit terminates with outcome 0. Immutable.
 */
public final class ToyMdp {
    /** What may follow an action. */
    public sealed interface Effect {
        double probability();
    }

    /** The next state. */
    public record Goes(String state, double probability) implements Effect {}

    /** The end of the episode: outcome 1 is success. */
    public record Ends(double outcome, double probability) implements Effect {}

    private final String name;
    private final int stepLimit;
    private final Map<String, String> starts;
    private final Map<String, Map<String, List<Effect>>> effects;

    private ToyMdp(Builder builder) {
        this.name = builder.name;
        this.stepLimit = builder.stepLimit;
        this.starts = new LinkedHashMap<>(builder.starts);
        this.effects = new LinkedHashMap<>();
        builder.effects.forEach(
                (state, actions) -> {
                    Map<String, List<Effect>> copy = new LinkedHashMap<>();
                    actions.forEach((action, list) -> copy.put(action, List.copyOf(list)));
                    effects.put(state, copy);
                });
    }

    /**
     * Starts a definition.
     *
     * @param stepLimit number of actions after which an episode terminates
     */
    public static Builder builder(String name, int stepLimit) {
        return new Builder(name, stepLimit);
    }

    /**
     * A house: the kitchen is reached from the hall and holds the prize; the cellar offers half of
     * it at once. At most 4 steps; optimal from the hall are {@code left, open}.
     */
    public static ToyMdp house() {
        return houseBuilder("house").on("kitchen", "open").ends(1, 1).build();
    }

    /** The house with a kitchen cupboard that is empty one time in five. */
    public static ToyMdp stochasticHouse() {
        return houseBuilder("stochastic-house")
                .on("kitchen", "open")
                .ends(1, 0.8)
                .ends(0, 0.2)
                .build();
    }

    private static Builder houseBuilder(String name) {
        return builder(name, 4)
                .start("fetch", "hall")
                .start("search", "cellar")
                .on("hall", "left")
                .goes("kitchen", 1)
                .on("hall", "right")
                .goes("cellar", 1)
                .on("hall", "open")
                .ends(0, 1)
                .on("kitchen", "left")
                .goes("hall", 1)
                .on("kitchen", "right")
                .goes("hall", 1)
                .on("cellar", "left")
                .goes("hall", 1)
                .on("cellar", "open")
                .ends(0.5, 1);
    }

    public String name() {
        return name;
    }

    public int stepLimit() {
        return stepLimit;
    }

    /** Start states by instruction word. */
    public Map<String, String> starts() {
        return starts;
    }

    public List<String> states() {
        return List.copyOf(effects.keySet());
    }

    /** All actions of all states, in order of definition. */
    public List<String> actions() {
        Set<String> actions = new LinkedHashSet<>();
        effects.values().forEach(map -> actions.addAll(map.keySet()));
        return List.copyOf(actions);
    }

    /** Actions defined in a state. */
    public List<String> actions(String state) {
        return List.copyOf(effects.getOrDefault(state, Map.of()).keySet());
    }

    /** What may follow; staying where one is if the action is not defined there. */
    public List<Effect> effects(String state, String action) {
        List<Effect> defined = effects.getOrDefault(state, Map.of()).get(action);
        return defined == null ? List.of(new Goes(state, 1)) : defined;
    }

    /** One word per instruction, state and action. */
    public WordTokenizer tokenizer() {
        List<String> words = new ArrayList<>(starts.keySet());
        words.addAll(states());
        words.add(ToySession.OVER);
        words.addAll(actions());
        return WordTokenizer.of(words);
    }

    /**
     * A prior for a {@link TabularModel} that knows the form of a reply and nothing else: after an
     * observation every action is equally likely, after an action the turn ends.
     */
    public double[][] replyPrior() {
        WordTokenizer tokenizer = tokenizer();
        int size = tokenizer.vocabularySize();
        double[][] prior = new double[size][size];
        int never = -25;
        List<String> seen = new ArrayList<>(states());
        seen.add(ToySession.OVER);
        for (String state : seen) {
            double[] row = prior[tokenizer.id(state)];
            java.util.Arrays.fill(row, never);
            actions().forEach(action -> row[tokenizer.id(action)] = 0);
        }
        for (String action : actions()) {
            double[] row = prior[tokenizer.id(action)];
            java.util.Arrays.fill(row, never);
            row[tokenizer.endOfTurn()] = 0;
        }
        return prior;
    }

    /** Collects states and actions. */
    public static final class Builder {
        private final String name;
        private final int stepLimit;
        private final Map<String, String> starts = new LinkedHashMap<>();
        private final Map<String, Map<String, List<Effect>>> effects = new LinkedHashMap<>();
        private List<Effect> current = new ArrayList<>();

        private Builder(String name, int stepLimit) {
            this.name = name;
            this.stepLimit = stepLimit;
        }

        /** Adds a task: its instruction, one word, and the state that it starts in. */
        public Builder start(String instruction, String state) {
            starts.put(instruction, state);
            return this;
        }

        /** Begins the definition of an action in a state. */
        public Builder on(String state, String action) {
            current = new ArrayList<>();
            effects.computeIfAbsent(state, s -> new LinkedHashMap<>()).put(action, current);
            return this;
        }

        public Builder goes(String state, double probability) {
            current.add(new Goes(state, probability));
            return this;
        }

        public Builder ends(double outcome, double probability) {
            current.add(new Ends(outcome, probability));
            return this;
        }

        /** Checks that the probabilities of every action sum to 1. */
        public ToyMdp build() {
            effects.forEach(
                    (state, actions) ->
                            actions.forEach(
                                    (action, list) -> {
                                        double sum =
                                                list.stream()
                                                        .mapToDouble(Effect::probability)
                                                        .sum();
                                        if (Math.abs(sum - 1) > 1e-12) {
                                            throw new TestkitException(
                                                    "probabilities of "
                                                            + action
                                                            + " in "
                                                            + state
                                                            + " sum to "
                                                            + sum);
                                        }
                                    }));
            return new ToyMdp(this);
        }
    }
}
