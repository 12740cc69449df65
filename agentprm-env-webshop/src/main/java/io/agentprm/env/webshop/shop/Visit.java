package io.agentprm.env.webshop.shop;

import io.agentprm.api.run.RandomSource;
import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.goal.Goal;
import io.agentprm.env.webshop.python.PythonText;
import io.agentprm.env.webshop.reward.Reward;
import io.agentprm.env.webshop.search.ShopIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * One shopper in the shop, from the start page on. As in the original a search is possible on every
 * page, also after the purchase. Holds some kilobytes. Not thread-safe.
 */
public final class Visit {
    /** Where the original's pages are. */
    public static final String BASE_URL = "http://127.0.0.1:3000";

    private static final int PER_PAGE = 10;
    private static final Answer MOVED = new Answer.Moved();

    private enum Place {
        INDEX,
        RESULTS,
        ITEM,
        SUB_PAGE,
        DONE
    }

    private final Shop shop;
    private final Goal goal;
    private final String id;
    private final RandomSource random;

    private Place place = Place.INDEX;
    private String keywords = "";
    private int page;
    private int[] results = {};
    private int searches;
    private Optional<Shelf> shelf = Optional.empty();
    private SubPage subPage = SubPage.DESCRIPTION;
    private Optional<Reward> reward = Optional.empty();
    private final Set<String> opened = new HashSet<>();
    private final Map<String, String> chosen = new LinkedHashMap<>();
    private Optional<Clickables> clickables = Optional.empty();

    /**
     * Comes in.
     *
     * @param id stands in the pages' addresses
     * @param random stream for the search {@code <r>}, which shows products at random
     */
    public Visit(Shop shop, Goal goal, String id, RandomSource random) {
        this.shop = shop;
        this.goal = goal;
        this.id = id;
        this.random = random;
    }

    /** An independent visit in the same state. */
    public Visit copy() {
        Visit copy = new Visit(shop, goal, id, random);
        copy.place = place;
        copy.keywords = keywords;
        copy.page = page;
        copy.results = results;
        copy.searches = searches;
        copy.shelf = shelf;
        copy.subPage = subPage;
        copy.reward = reward;
        copy.opened.addAll(opened);
        copy.chosen.putAll(chosen);
        copy.clickables = clickables;
        return copy;
    }

    /** What is to be bought. */
    public Goal goal() {
        return goal;
    }

    /** True on the start page only, although a search works everywhere. */
    public boolean hasSearchBar() {
        return place == Place.INDEX;
    }

    /** Names of what can be clicked, in the order of the page. */
    public List<String> clickableNames() {
        return clickables().names();
    }

    /** Clicks that are possible, as actions. */
    public List<String> clicks() {
        return clickables().actions();
    }

    /** Acts; whatever is not understood is refused. */
    public Answer act(String action) {
        Optional<ActionText> parsed = ActionText.parse(action);
        if (parsed.isEmpty()) {
            return new Answer.Refused("an action is search[words] or click[text]");
        }
        String argument = parsed.get().argument();
        Answer answer =
                switch (parsed.get().name()) {
                    case "search" -> search(argument);
                    case "click" -> click(argument);
                    default ->
                            new Answer.Refused(
                                    "there is no action '"
                                            + parsed.get().name()
                                            + "', only search and click");
                };
        return answer;
    }

    private Answer search(String words) {
        Optional<int[]> found = find(words);
        if (found.isEmpty()) {
            return new Answer.Refused("the original cannot search by '" + words + "'");
        }
        keywords = words;
        show(found.get(), 1);
        return MOVED;
    }

    /** Products for a search; empty where the original breaks down. */
    private Optional<int[]> find(String words) {
        searches++;
        String[] list = words.split(" ", -1);
        String rest = words.substring(Math.min(words.length(), list[0].length() + 1));
        return switch (list[0]) {
            case "<r>" -> Optional.of(anything());
            case "<a>" -> Optional.empty();
            case "<c>" ->
                    list.length < 2
                            ? Optional.empty()
                            : Optional.of(shop.index().ofCategory(PythonText.strip(list[1])));
            case "<q>" -> Optional.of(shop.index().ofQuery(PythonText.strip(rest)));
            default ->
                    Optional.of(
                            shop.index().search(words).stream()
                                    .mapToInt(hit -> hit.ordinal())
                                    .toArray());
        };
    }

    private int[] anything() {
        RandomGenerator draws = random.derive(searches).generator();
        int size = shop.catalog().size();
        return draws.ints(0, size).distinct().limit(Math.min(size, ShopIndex.HITS)).toArray();
    }

    private void show(int[] found, int number) {
        results = found;
        page = number;
        shelf = Optional.empty();
        chosen.clear();
        move(Place.RESULTS);
    }

    private void move(Place to) {
        place = to;
        clickables = Optional.empty();
    }

    private Answer click(String name) {
        Optional<Clickables.Part> part = Optional.ofNullable(clickables().parts().get(name));
        if (part.isEmpty() || name.equals("search")) {
            return new Answer.Refused("there is no '" + name + "' to click on this page");
        }
        // The original looks at the name first, whatever kind of part has it.
        switch (name) {
            case "buy now" -> {
                return buy();
            }
            case "back to search" -> start();
            case "next >", "< prev" -> turn(name, part.get());
            default -> {
                Optional<SubPage> below = SubPage.of(name);
                if (below.isPresent()) {
                    subPage = below.get();
                    move(Place.SUB_PAGE);
                } else {
                    open(name, part.get());
                }
            }
        }
        return MOVED;
    }

    private void start() {
        keywords = "";
        page = 0;
        results = new int[0];
        shelf = Optional.empty();
        opened.clear();
        chosen.clear();
        move(Place.INDEX);
    }

    private void turn(String name, Clickables.Part part) {
        Place seen = placeByAddress();
        boolean back = name.equals("< prev");
        if (seen == Place.RESULTS) {
            show(again(), back ? page - 1 : page + 1);
        } else if (back && seen == Place.ITEM) {
            show(again(), page);
        } else {
            open(name, part);
        }
    }

    /** The original searches again, which matters only where chance comes in. */
    private int[] again() {
        return keywords.equals("<r>") || keywords.startsWith("<r> ")
                ? find(keywords).orElseThrow()
                : results;
    }

    /**
     * The kind of page as the original tells it: by the first name of a page that the address
     * contains, be it in the words that were searched.
     */
    private Place placeByAddress() {
        if (place == Place.ITEM || place == Place.SUB_PAGE) {
            String url = url();
            if (url.contains("search_results")) {
                return Place.RESULTS;
            }
            if (url.contains("item_page")) {
                return Place.ITEM;
            }
        }
        return place;
    }

    /** The page of a product: opened by its link, with another option, or from below. */
    private void open(String name, Clickables.Part part) {
        switch (part) {
            case LINK -> {
                Shelf linked = linked(name);
                opened.add(linked.product().asin());
                shelf = Optional.of(linked);
            }
            case OPTION -> chosen.put(current().groups().get(name), name);
            case BUTTON -> {
                // Back from a page below.
            }
        }
        move(Place.ITEM);
    }

    /** The product behind a link of this page of the results. */
    private Shelf linked(String name) {
        if (shop.links() == ProductLinks.NUMBER) {
            return shop.shelf(shown()[Integer.parseInt(name) - 1]);
        }
        String asin = name.toUpperCase(Locale.ROOT);
        return Arrays.stream(shown())
                .mapToObj(shop::shelf)
                .filter(s -> s.product().asin().equals(asin))
                .findFirst()
                .orElseThrow();
    }

    private Answer buy() {
        Shelf bought = current();
        Reward judged =
                shop.rewards()
                        .judge(
                                bought.product(),
                                goal,
                                shop.price(bought.ordinal()),
                                chosen.values());
        reward = Optional.of(judged);
        move(Place.DONE);
        return new Answer.Bought(judged);
    }

    private Shelf current() {
        return shelf.orElseThrow();
    }

    /** Products on this page of the results, by Python's slice {@code [10 * (p - 1) : 10 * p]}. */
    private int[] shown() {
        int from = Math.min(PER_PAGE * Math.max(0, page - 1), results.length);
        int to = Math.min(PER_PAGE * Math.max(0, page), results.length);
        return Arrays.copyOfRange(results, from, to);
    }

    private Clickables clickables() {
        if (place == Place.ITEM) {
            return current().clickables();
        }
        if (clickables.isEmpty()) {
            ClickWriter writer = new ClickWriter();
            write(writer);
            clickables = Optional.of(writer.clickables());
        }
        return clickables.get();
    }

    /** The page as the agent sees it. */
    public String observation(ObservationMode mode) {
        if (mode == ObservationMode.TEXT && place == Place.ITEM) {
            String instruction = PythonText.strip(PageWriter.parsed(goal.instruction()));
            return goal.instruction().isEmpty()
                    ? "Instruction:" + current().text()
                    : "Instruction:" + PlainWriter.SEPARATOR + instruction + current().text();
        }
        return switch (mode) {
            case TEXT -> written(new PlainWriter());
            case TEXT_RICH -> written(new RichWriter(url(), opened));
            case HTML -> written(new HtmlWriter(chosen));
            case URL -> url();
        };
    }

    private String written(PageWriter writer) {
        write(writer);
        return writer.toString();
    }

    private void write(PageWriter writer) {
        String instruction = goal.instruction();
        switch (place) {
            case INDEX -> Pages.index(writer, instruction);
            case RESULTS ->
                    Pages.results(
                            writer,
                            instruction,
                            page,
                            results.length,
                            productsShown(),
                            shop.links());
            case ITEM ->
                    Pages.item(writer, instruction, current().product(), shop.showAttributes());
            case SUB_PAGE -> Pages.subPage(writer, instruction, current().product(), subPage);
            case DONE ->
                    Pages.done(
                            writer,
                            current().product().asin(),
                            chosen,
                            reward.orElseThrow().total());
        }
    }

    private List<Product> productsShown() {
        List<Product> products = new ArrayList<>();
        for (int ordinal : shown()) {
            products.add(shop.shelf(ordinal).product());
        }
        return products;
    }

    /** What the page shows. */
    public ShopPage page() {
        return switch (place) {
            case INDEX -> new ShopPage.Start();
            case RESULTS -> new ShopPage.Results(page, results.length, productsShown());
            case ITEM -> new ShopPage.Item(current().product(), chosen);
            case SUB_PAGE ->
                    new ShopPage.Below(
                            current().product(),
                            subPage.label(),
                            subPage.texts(current().product()));
            case DONE -> new ShopPage.Done(current().product(), chosen, goal, reward.orElseThrow());
        };
    }

    /** The page's address. */
    public String url() {
        String words = keywords.replace(' ', '+');
        return switch (place) {
            case INDEX -> BASE_URL + "/" + id;
            case RESULTS -> BASE_URL + "/search_results/" + id + "/" + words + "/" + page;
            case ITEM -> product("item_page", words) + "/" + PythonText.json(chosen);
            case SUB_PAGE ->
                    product("item_sub_page", words)
                            + "/"
                            + subPage.label()
                            + "/"
                            + PythonText.repr(chosen);
            case DONE ->
                    BASE_URL
                            + "/done/"
                            + id
                            + "/"
                            + current().product().asin()
                            + "/"
                            + PythonText.repr(chosen);
        };
    }

    private String product(String kind, String words) {
        return BASE_URL
                + "/"
                + kind
                + "/"
                + id
                + "/"
                + current().product().asin()
                + "/"
                + words
                + "/"
                + page;
    }
}
