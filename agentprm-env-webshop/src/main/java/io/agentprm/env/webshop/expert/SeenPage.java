package io.agentprm.env.webshop.expert;

import io.agentprm.api.env.Observation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a shopper makes of an observation, in either mode. */
sealed interface SeenPage {
    /** The start page. */
    record Start() implements SeenPage {}

    /** Results of a search. */
    record Results(List<Offer> offers) implements SeenPage {}

    /** The page of a product: its title, the smallest price, and values by option. */
    record Item(String title, double price, Map<String, List<String>> options)
            implements SeenPage {}

    /** Any other page, with its text. */
    record Other(String text) implements SeenPage {}

    /** A product among the results. */
    record Offer(String asin, String title, double price) {}

    Pattern MARKS = Pattern.compile("^\\s*\\[(?:clicked )?button\\] | \\[(?:clicked )?button_\\]$");
    Pattern DOLLARS = Pattern.compile("\\$([0-9.]+).*");

    static SeenPage of(Observation observation) {
        List<String> parts = parts(observation.text());
        Set<String> clicks = new HashSet<>(observation.admissibleActions().orElse(List.of()));
        int price = parts.indexOf("Rating: N.A.") - 1;
        if (!parts.isEmpty() && parts.get(0).equals("WebShop")) {
            return new Start();
        }
        if (price > 0 && parts.contains("Buy Now")) {
            return item(parts.subList(0, price + 1), clicks);
        }
        if (clicks.contains("click[next >]") && parts.contains("Next >")) {
            return new Results(offers(parts, clicks));
        }
        return new Other(observation.text());
    }

    private static List<String> parts(String text) {
        if (text.contains(" [SEP] ")) {
            return Arrays.asList(text.split(" \\[SEP\\] ", -1));
        }
        return text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("You have clicked "))
                .map(line -> MARKS.matcher(line).replaceAll(""))
                .toList();
    }

    private static List<Offer> offers(List<String> parts, Set<String> clicks) {
        List<Offer> offers = new ArrayList<>();
        for (int i = parts.indexOf("Next >") + 1; i < parts.size(); i++) {
            String asin = parts.get(i);
            if (clicks.contains(click(asin))) {
                boolean untitled =
                        i + 1 < parts.size() && DOLLARS.matcher(parts.get(i + 1)).matches();
                String title = untitled || i + 1 == parts.size() ? "" : parts.get(i + 1);
                int price = i + (untitled ? 1 : 2);
                offers.add(
                        new Offer(
                                asin, title, price < parts.size() ? dollars(parts.get(price)) : 0));
            }
        }
        return offers;
    }

    private static Item item(List<String> parts, Set<String> clicks) {
        int from = parts.lastIndexOf("< Prev") + 1;
        int last = parts.size() - 1;
        double price = dollars(parts.get(last).replace("Price: ", ""));
        Map<String, List<String>> options = new LinkedHashMap<>();
        String title = "";
        String group = "";
        for (int i = from; i < last; i++) {
            String part = parts.get(i);
            if (clicks.contains(click(part)) && !group.isEmpty()) {
                options.computeIfAbsent(group, name -> new ArrayList<>()).add(part);
            } else {
                group = part;
                title = part;
            }
        }
        return new Item(title, price, options);
    }

    /** The click on a part of a page. */
    static String click(String text) {
        return "click[" + text.toLowerCase(Locale.ROOT) + "]";
    }

    private static double dollars(String text) {
        Matcher matcher = DOLLARS.matcher(text);
        return matcher.matches() ? Double.parseDouble(matcher.group(1)) : 0;
    }
}
