package io.agentprm.env.webshop.goal;

import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.catalog.Catalog;
import io.agentprm.env.webshop.catalog.HumanInstruction;
import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.catalog.SyntheticRequest;
import io.agentprm.env.webshop.python.PythonRandom;
import io.agentprm.env.webshop.python.PythonText;
import io.agentprm.env.webshop.search.GoalFacts;
import io.agentprm.env.webshop.search.Inventory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * All goals of a catalogue in their shuffled order. A goal is put together when it is asked for;
 * until then it costs four bytes. Immutable and thread-safe.
 */
public final class GoalBook {
    private final Catalog catalog;
    private final GoalKind kind;
    private final double[] prices;

    /** Number of the first goal of each product, before shuffling; one more entry for the end. */
    private final int[] firstOf;

    /** By product for synthetic goals, by goal for those of people. */
    private final byte[] limits;

    /** What is at a position of the shuffled list. */
    private final int[] order;

    private GoalBook(
            Catalog catalog,
            GoalKind kind,
            double[] prices,
            int[] firstOf,
            byte[] limits,
            int[] order) {
        this.catalog = catalog;
        this.kind = kind;
        this.prices = prices;
        this.firstOf = firstOf;
        this.limits = limits;
        this.order = order;
    }

    /**
     * Makes the goals of an inventory.
     *
     * @throws WebshopException if there are more than two billion, or synthetic ones are asked for
     *     and an instruction asks for no attribute
     */
    public static GoalBook of(Inventory inventory, GoalRules rules) {
        GoalFacts facts = inventory.facts();
        if (rules.kind() == GoalKind.SYNTHETIC) {
            requireAttributes(facts, inventory.catalog());
        }
        PythonRandom random = new PythonRandom(rules.loadSeed());
        double[] prices = PriceLimits.prices(facts, random);
        rules.limitSeed().ifPresent(random::seed);
        int[] firstOf = firstGoals(facts, rules.kind());
        byte[] limits =
                rules.kind() == GoalKind.SYNTHETIC
                        ? limitsOfProducts(facts, prices, random)
                        : limitsOfInstructions(firstOf, prices, random);
        int[] order = new int[firstOf[facts.size()]];
        Arrays.setAll(order, i -> i);
        random.seed(rules.shuffleSeed());
        random.shuffle(order);
        return new GoalBook(inventory.catalog(), rules.kind(), prices, firstOf, limits, order);
    }

    /** The original reads such a product, and stops only where synthetic goals are made of it. */
    private static void requireAttributes(GoalFacts facts, Catalog catalog) {
        OptionalInt empty = facts.firstEmptyRequest();
        if (empty.isPresent()) {
            throw new WebshopException(
                    "no synthetic goal can be made of product "
                            + catalog.product(empty.getAsInt()).asin()
                            + ": it has an instruction, but its 'instruction_attributes' in"
                            + " items_ins_v2*.json lists none; remove the instruction there, or set"
                            + " goals to human");
        }
    }

    private static int[] firstGoals(GoalFacts facts, GoalKind kind) {
        int[] firstOf = new int[facts.size() + 1];
        for (int i = 0; i < facts.size(); i++) {
            long end =
                    (long) firstOf[i]
                            + (kind == GoalKind.SYNTHETIC
                                    ? facts.syntheticGoals(i)
                                    : facts.humanGoals(i));
            if (end > Integer.MAX_VALUE - 8) {
                throw new WebshopException(
                        "the products have more than two billion goals; take fewer products");
            }
            firstOf[i + 1] = (int) end;
        }
        return firstOf;
    }

    private static byte[] limitsOfProducts(GoalFacts facts, double[] prices, PythonRandom random) {
        byte[] limits = new byte[facts.size()];
        for (int i = 0; i < limits.length; i++) {
            if (facts.hasRequest(i)) {
                limits[i] = PriceLimits.draw(prices[i], random);
            }
        }
        return limits;
    }

    private static byte[] limitsOfInstructions(
            int[] firstOf, double[] prices, PythonRandom random) {
        byte[] limits = new byte[firstOf[prices.length]];
        for (int i = 0; i < prices.length; i++) {
            for (int goal = firstOf[i]; goal < firstOf[i + 1]; goal++) {
                limits[goal] = PriceLimits.draw(prices[i], random);
            }
        }
        return limits;
    }

    /** Number of goals. */
    public int size() {
        return order.length;
    }

    /** The price that the reward compares. */
    public double price(int ordinal) {
        return prices[ordinal];
    }

    /**
     * The goal at a position of the shuffled list.
     *
     * @param position from 0 to {@code size() - 1}
     */
    public Goal goal(int position) {
        int ordinal = product(position);
        return goal(ordinal, order[position] - firstOf[ordinal]);
    }

    /** The id of the goal at a position: {@code ASIN/N}, the N-th goal of that product. */
    public String id(int position) {
        int ordinal = product(position);
        return catalog.product(ordinal).asin() + "/" + (order[position] - firstOf[ordinal]);
    }

    /**
     * The goal of an id, wherever it stands in the list.
     *
     * @throws WebshopException if there is none
     */
    public Goal goal(String id) {
        int slash = id.indexOf('/');
        if (slash > 0 && id.substring(slash + 1).matches("0|[1-9][0-9]{0,8}")) {
            OptionalInt ordinal = catalog.find(id.substring(0, slash));
            int number = Integer.parseInt(id.substring(slash + 1));
            if (ordinal.isPresent()) {
                int product = ordinal.getAsInt();
                if (number < firstOf[product + 1] - firstOf[product]) {
                    return goal(product, number);
                }
            }
        }
        throw new WebshopException("no goal '" + id + "'; ask for tasks(split)");
    }

    /**
     * Weights of the goals, by position, for a {@link GoalSampler}: 1 for those of people, else the
     * mean over a goal's attributes of one over the number of goals that have it. Looks at every
     * product.
     */
    public double[] weights() {
        double[] weights = new double[order.length];
        if (kind == GoalKind.HUMAN) {
            Arrays.fill(weights, 1);
            return weights;
        }
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i + 1 < firstOf.length; i++) {
            int goals = firstOf[i + 1] - firstOf[i];
            if (goals > 0) {
                asked(i).forEach(attribute -> counts.merge(attribute, goals, Integer::sum));
            }
        }
        for (int position = 0; position < weights.length; position++) {
            List<String> asked = asked(product(position));
            double sum = 0;
            for (String attribute : asked) {
                sum += 1.0 / counts.get(attribute);
            }
            weights[position] = sum / asked.size();
        }
        return weights;
    }

    private List<String> asked(int ordinal) {
        return catalog.product(ordinal).request().orElseThrow().attributes();
    }

    /** The place in the catalogue of the product that the goal at a position asks for. */
    public int product(int position) {
        int goal = order[position];
        int found = Arrays.binarySearch(firstOf, goal);
        int ordinal = found >= 0 ? found : -found - 2;
        // Products without goals start where the next one does.
        while (firstOf[ordinal + 1] == goal) {
            ordinal++;
        }
        return ordinal;
    }

    private Goal goal(int ordinal, int number) {
        Product product = catalog.product(ordinal);
        return kind == GoalKind.SYNTHETIC
                ? synthetic(product, number, limits[ordinal])
                : human(product, number, limits[firstOf[ordinal] + number]);
    }

    private static Goal human(Product product, int number, byte limit) {
        HumanInstruction instruction =
                product.instructions().stream()
                        .filter(one -> !one.attributes().isEmpty())
                        .skip(number)
                        .findFirst()
                        .orElseThrow();
        return goal(
                product,
                PythonText.strip(instruction.text(), '.') + PriceLimits.text(limit),
                instruction.attributes(),
                limit,
                instruction.options().stream().map(GoalOption::of).toList());
    }

    private static Goal synthetic(Product product, int number, byte limit) {
        SyntheticRequest request = product.request().orElseThrow();
        List<GoalOption> options = combination(product.options(), number);
        StringBuilder text = new StringBuilder(request.text());
        String separator = " with ";
        for (GoalOption option : options) {
            text.append(separator)
                    .append(option.name().orElseThrow())
                    .append(": ")
                    .append(option.value());
            separator = ", and ";
        }
        text.append(PriceLimits.text(limit));
        return goal(product, text.toString(), request.attributes(), limit, options);
    }

    private static Goal goal(
            Product product,
            String instruction,
            List<String> attributes,
            byte limit,
            List<GoalOption> options) {
        return new Goal(
                product.asin(),
                product.category(),
                product.query(),
                product.title(),
                product.productCategory(),
                instruction,
                attributes,
                PriceLimits.dollars(limit),
                options);
    }

    /** One of the ways to choose: groups by name, the last one changes fastest. */
    private static List<GoalOption> combination(Map<String, List<String>> options, int number) {
        List<String> names = new ArrayList<>(options.keySet());
        names.sort(PythonText.BY_CODE_POINT);
        GoalOption[] chosen = new GoalOption[names.size()];
        int rest = number;
        for (int i = chosen.length - 1; i >= 0; i--) {
            List<String> values = options.get(names.get(i));
            chosen[i] = GoalOption.of(names.get(i), values.get(rest % values.size()));
            rest /= values.size();
        }
        return List.of(chosen);
    }
}
