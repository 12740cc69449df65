package io.agentprm.env.webshop.generator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.run.RandomSource;
import io.agentprm.env.webshop.python.PythonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Makes products with instructions, statistically like the original's thousand: the same
 * categories, about four products to a query, near-duplicates, options, price ranges and gaps. A
 * product depends on the options and its number only, so that any one can be made alone.
 * Thread-safe.
 */
public final class CatalogGenerator {
    /** Products of a query and of a family, on average. */
    private static final int PER_QUERY = 4;

    private static final int PER_FAMILY = 3;

    private static final long ASINS = 2_821_109_907_456L;
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final GeneratorOptions options;
    private final RandomSource random;
    private final List<Kind> kinds;

    public CatalogGenerator(GeneratorOptions options) {
        this.options = options;
        this.random = RandomSource.of(options.seed()).derive("webshop");
        List<Kind> all = Goods.kinds();
        int wanted = Math.max(1, Math.min(all.size(), options.products() / PER_QUERY));
        this.kinds = new Draws(random.derive("kinds").generator()).some(all, wanted);
    }

    /** What is made. */
    public GeneratorOptions options() {
        return options;
    }

    /**
     * A product.
     *
     * @param number from 0 to the number of products - 1
     */
    public GeneratedItem item(int number) {
        Draws draws = new Draws(random.derive("product").derive(number).generator());
        int families = Math.max(1, options.products() / PER_FAMILY);
        Family family =
                Family.draw(
                        kinds,
                        new Draws(
                                random.derive("family").derive(draws.below(families)).generator()));
        String asin = asin(number);
        List<String> attributes = attributes(family, draws);
        Map<String, List<String>> choices = choices(family.found().group(), draws);
        ObjectNode product = product(asin, family, attributes, choices, draws);
        List<String> askable = new ArrayList<>(attributes);
        askable.remove(Family.nounAttribute(family.found()));
        return new GeneratedItem(
                asin,
                product,
                notes(family, attributes, askable, draws),
                instructions(family, askable, choices, draws));
    }

    /** B0 and eight signs; a number that is prime to their count keeps them apart. */
    private String asin(int number) {
        long start = Math.floorMod(random.derive("asin").seed(), ASINS);
        long place = Math.floorMod(start + number * 1_234_567_891L, ASINS);
        String digits = Long.toString(place, 36).toUpperCase(Locale.ROOT);
        return "B0" + "0".repeat(8 - digits.length()) + digits;
    }

    private static List<String> attributes(Family family, Draws draws) {
        if (draws.chance(0.18)) {
            return List.of();
        }
        int count = 1 + draws.index(191, 189, 134, 120, 65, 36, 27, 16, 7, 4, 6);
        return draws.frequent(family.attributes(), count);
    }

    private static Map<String, List<String>> choices(Group group, Draws draws) {
        Map<String, List<String>> choices = new LinkedHashMap<>();
        if (draws.chance(0.42)) {
            int groups = 1 + draws.index(45, 48, 7);
            for (String name : draws.some(List.copyOf(group.options().keySet()), groups)) {
                List<String> values = group.options().get(name);
                int count = 2 + (int) (2.2 * Math.exp(1.1 * draws.gaussian()));
                choices.put(name, draws.some(values, Math.min(count, values.size())));
            }
        }
        return choices;
    }

    private static ObjectNode product(
            String asin,
            Family family,
            List<String> attributes,
            Map<String, List<String>> choices,
            Draws draws) {
        Kind title = family.found();
        String brand = Brands.draw(draws);
        TextMaker texts = new TextMaker(family, brand, attributes(attributes, title), draws);
        ObjectNode json = JSON.objectNode();
        json.put("asin", asin);
        json.put("name", texts.title(attributes, detail(title.group(), draws)));
        json.put("full_description", texts.description());
        ArrayNode bullets = json.putArray("small_description");
        texts.bullets().forEach(bullets::add);
        json.put("pricing", pricing(family.price() * Math.exp(0.6 * draws.gaussian()), draws));
        json.put("category", title.group().category());
        json.put("query", family.kind().query());
        json.put(
                "product_category",
                draws.chance(0.02)
                        ? ""
                        : title.group().path() + " › " + title.noun().replace(" for Women", ""));
        json.putArray("images");
        if (choices.isEmpty()) {
            json.put("customization_options", "");
        } else {
            ObjectNode groups = json.putObject("customization_options");
            choices.forEach(
                    (name, values) -> {
                        ArrayNode list = groups.putArray(name);
                        values.forEach(value -> list.addObject().put("value", value));
                    });
        }
        return json;
    }

    /** Texts need something to say of a product without attributes. */
    private static List<String> attributes(List<String> attributes, Kind kind) {
        return attributes.isEmpty() ? List.of(Family.nounAttribute(kind)) : attributes;
    }

    private static String detail(Group group, Draws draws) {
        return draws.chance(0.55)
                ? draws.pick(group.options().get(draws.pick(List.copyOf(group.options().keySet()))))
                : "";
    }

    private static String pricing(double median, Draws draws) {
        double price = Math.max(0.99, Math.min(median, 4300));
        return switch (draws.index(82, 9, 9)) {
            case 0 -> dollars(price);
            case 1 -> dollars(price) + " - " + dollars(price * (1.1 + draws.below(10) / 10.0));
            default -> "";
        };
    }

    private static String dollars(double price) {
        return String.format(Locale.ROOT, "$%,.2f", price);
    }

    private static ObjectNode notes(
            Family family, List<String> attributes, List<String> askable, Draws draws) {
        ObjectNode json = JSON.objectNode();
        ArrayNode list = json.putArray("attributes");
        attributes.forEach(list::add);
        if (askable.size() >= 2 && draws.chance(0.78)) {
            int count = 2 + draws.index(43, 27, 17, 5, 4);
            List<String> asked = draws.some(askable, count);
            json.put("instruction", Requests.byRule(family, asked));
            ArrayNode wanted = json.putArray("instruction_attributes");
            asked.forEach(wanted::add);
        }
        return json;
    }

    private static ArrayNode instructions(
            Family family, List<String> askable, Map<String, List<String>> choices, Draws draws) {
        ArrayNode json = JSON.arrayNode();
        if (askable.isEmpty()) {
            return json;
        }
        int count = choices.isEmpty() ? draws.index(5, 4, 1) : draws.index(1, 2, 4, 3);
        for (int i = 0; i < count; i++) {
            List<String> asked = draws.some(askable, 1 + draws.index(6, 3, 1));
            List<String> values = new ArrayList<>();
            for (List<String> group : choices.values()) {
                if (draws.chance(0.8)) {
                    values.add(PythonText.lower(draws.pick(group).strip().replace("/", " | ")));
                }
            }
            ObjectNode one = json.addObject();
            one.put("instruction", Requests.byPerson(family.kind(), asked, values, draws));
            ArrayNode attributes = one.putArray("instruction_attributes");
            asked.forEach(attributes::add);
            ArrayNode options = one.putArray("instruction_options");
            values.forEach(options::add);
        }
        return json;
    }
}
