package io.agentprm.cli.web;

import io.agentprm.core.report.Html;
import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.goal.Goal;
import io.agentprm.env.webshop.goal.GoalOption;
import io.agentprm.env.webshop.python.PythonText;
import io.agentprm.env.webshop.reward.Reward;
import io.agentprm.env.webshop.shop.ShopPage;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A page of WebShop as a shop would show it. */
final class ShopView {
    /** Name of the field with the words of a search. */
    static final String WORDS = "words";

    private final Html html;
    private final Buttons buttons;

    private ShopView(Html html, Buttons buttons) {
        this.html = html;
        this.buttons = buttons;
    }

    /** The action of a search for words. */
    static String search(String words) {
        return "search[" + words + "]";
    }

    static void draw(Html html, ShopPage page, Buttons buttons) {
        new ShopView(html, buttons).draw(page);
    }

    private void draw(ShopPage page) {
        if (!(page instanceof ShopPage.Start || page instanceof ShopPage.Done)) {
            html.open("p", "class", "ways");
            for (String label : List.of("Back to Search", "< Prev", "Next >")) {
                buttons.drawIfPossible(html, click(label), label);
            }
            html.close("p").line();
        }
        if (page instanceof ShopPage.Start) {
            start();
        } else if (page instanceof ShopPage.Results results) {
            results(results);
        } else if (page instanceof ShopPage.Item item) {
            item(item.product(), item.chosen());
        } else if (page instanceof ShopPage.Below below) {
            below(below);
        } else if (page instanceof ShopPage.Done done) {
            done(done);
        }
        buttons.rest(html);
    }

    private static String click(String label) {
        return "click[" + PythonText.lower(label) + "]";
    }

    /** The search bar belongs to a form of its own, which comes before. */
    private void start() {
        html.element("p", "Search for words, or choose below if there is something to choose.")
                .line();
    }

    private void results(ShopPage.Results results) {
        html.element("p", "Page " + results.number() + " (Total results: " + results.total() + ")")
                .line();
        html.open("table", "class", "results").line();
        int place = 0;
        for (Product product : results.products()) {
            place++;
            html.open("tr").open("td");
            // Links are called by one or the other.
            for (String name : List.of(product.asin(), Integer.toString(place))) {
                buttons.drawIfPossible(html, click(name), name);
            }
            html.close("td")
                    .element("td", product.title())
                    .element("td", product.priceTag(), "class", "price")
                    .close("tr")
                    .line();
        }
        html.close("table").line();
    }

    private void item(Product product, Map<String, String> chosen) {
        html.element("h2", product.title()).line();
        html.element("p", "Price: " + product.priceTag(), "class", "price").line();
        product.options()
                .forEach(
                        (name, values) -> {
                            html.open("fieldset").element("legend", name);
                            for (String value : values) {
                                boolean on = value.equals(chosen.get(name));
                                buttons.draw(html, "click[" + value + "]", value, on ? "on" : "");
                            }
                            html.close("fieldset").line();
                        });
        html.open("p", "class", "ways");
        for (String label : List.of("Description", "Features", "Reviews", "Attributes")) {
            buttons.drawIfPossible(html, click(label), label);
        }
        html.close("p").open("p");
        buttons.draw(html, click("Buy Now"), "Buy Now", "buy");
        html.close("p").line();
    }

    private void below(ShopPage.Below below) {
        html.element("h2", below.title() + " of " + below.product().title()).line();
        if (below.texts().isEmpty()) {
            html.element("p", "Nothing.").line();
        }
        html.open("ul").line();
        below.texts().forEach(text -> html.element("li", text.strip()).line());
        html.close("ul").line();
    }

    private void done(ShopPage.Done done) {
        Product bought = done.bought();
        Goal goal = done.goal();
        Reward reward = done.reward();
        html.open("table", "class", "reward").line();
        row("", "bought", "asked for", "counts");
        row(
                "product",
                bought.title() + " (" + bought.asin() + ")",
                goal.name() + " (" + goal.asin() + ")",
                type(reward));
        row(
                "attributes",
                String.join(", ", bought.attributes()),
                String.join(", ", goal.attributes()),
                reward.attributes() + " of " + reward.wantedAttributes());
        row(
                "options",
                done.chosen().entrySet().stream()
                        .map(one -> one.getKey() + ": " + one.getValue())
                        .collect(Collectors.joining(", ")),
                goal.options().stream().map(ShopView::text).collect(Collectors.joining(", ")),
                reward.options() + " of " + reward.wantedOptions());
        row(
                "price",
                bought.priceTag(),
                goal.priceUpper() == Goal.NO_LIMIT
                        ? "any"
                        : String.format(Locale.ROOT, "at most $%.2f", goal.priceUpper()),
                reward.price() ? "1 of 1" : "0 of 1");
        html.close("table").line();
        html.element(
                        "p",
                        String.format(
                                Locale.ROOT,
                                "Reward: %.3f for the kind of product × %d of %d = %.3f",
                                reward.type().score(),
                                reward.attributes() + reward.options() + (reward.price() ? 1 : 0),
                                reward.parts(),
                                reward.total()),
                        "class",
                        "total")
                .line();
    }

    private static String text(GoalOption option) {
        return option.name().map(name -> name + ": ").orElse("") + option.value();
    }

    private static String type(Reward reward) {
        return String.format(
                Locale.ROOT,
                "× %.3f (query %s, category %s, %.0f %% of the title's nouns)",
                reward.type().score(),
                reward.type().query() ? "same" : "another",
                reward.type().category() ? "shared" : "another",
                100 * reward.type().title());
    }

    private void row(String head, String... cells) {
        html.open("tr").element("th", head);
        for (String cell : cells) {
            html.element("td", cell);
        }
        html.close("tr").line();
    }
}
