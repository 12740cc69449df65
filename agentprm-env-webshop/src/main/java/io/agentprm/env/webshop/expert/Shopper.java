package io.agentprm.env.webshop.expert;

import io.agentprm.api.env.Action;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.State;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.python.PythonText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Shoppers as policies. They read instruction, observation and listed clicks, and their own
 * history; they take over from any state. Purposeful actions are deliberate; random ones, from
 * noise, are marked as not deliberate.
 */
public final class Shopper implements Policy {
    /**
     * From this turn on the expert decides for what it has seen, so that it ends within fifteen.
     */
    private static final int LATEST = 9;

    private static final String BUY = "click[buy now]";
    private static final String BACK = "click[< prev]";
    private static final String FEATURES = "click[features]";
    private static final String NEW_SEARCH = "click[back to search]";

    private final ShopperOptions options;

    public Shopper(ShopperOptions options) {
        this.options = options;
    }

    @Override
    public String id() {
        return options.id();
    }

    @Override
    public List<List<Decision>> decide(List<DecisionRequest> requests) {
        List<List<Decision>> decided = new ArrayList<>();
        for (DecisionRequest request : requests) {
            List<Decision> decisions = new ArrayList<>();
            for (int sample = 0; sample < request.samples(); sample++) {
                RandomGenerator draws = request.random().derive(sample).generator();
                decisions.add(decide(request.state(), draws));
            }
            decided.add(List.copyOf(decisions));
        }
        return decided;
    }

    private Decision decide(State state, RandomGenerator draws) {
        SeenPage page = SeenPage.of(state.observation());
        boolean stray =
                options.kind() == ShopperKind.RANDOM || draws.nextDouble() < options.noise();
        if (stray && !(page instanceof SeenPage.Start)) {
            List<String> clicks = clicks(state);
            return Decision.builder(Action.text(clicks.get(draws.nextInt(clicks.size()))))
                    .deliberate(false)
                    .build();
        }
        return Decision.of(
                options.kind() == ShopperKind.EXPERT
                        ? careful(state, page, new Memory(state))
                        : quick(state, page, new Memory(state), draws));
    }

    private static List<String> clicks(State state) {
        return state.observation()
                .admissibleActions()
                .filter(clicks -> !clicks.isEmpty())
                .orElseThrow(
                        () ->
                                new WebshopException(
                                        "the observation of "
                                                + state.task()
                                                + " lists nothing to click, which shoppers need; let"
                                                + " the environment list admissible actions"));
    }

    /**
     * Searches for the whole instruction, or as the start page suggests, and buys the first result,
     * or one of the first.
     */
    private String quick(State state, SeenPage page, Memory memory, RandomGenerator draws) {
        boolean hasty = options.kind() == ShopperKind.HASTY;
        if (page instanceof SeenPage.Start) {
            return state.observation()
                    .admissibleActions()
                    .flatMap(searches -> searches.stream().findFirst())
                    .orElseGet(() -> search(inBrackets(state.instruction())));
        }
        if (page instanceof SeenPage.Results results) {
            int known = Math.min(options.candidates(), results.offers().size());
            return results.offers().stream()
                    .skip(hasty && known > 1 ? draws.nextInt(known) : 0)
                    .findFirst()
                    .map(offer -> SeenPage.click(offer.asin()))
                    .orElse(NEW_SEARCH);
        }
        if (page instanceof SeenPage.Item item) {
            List<String> wanted =
                    options.kind() == ShopperKind.FIRST_HIT || hasty && draws.nextBoolean()
                            ? List.of()
                            : memory.wish().choices(item.options());
            return buy(wanted, memory);
        }
        return back(state);
    }

    private String careful(State state, SeenPage page, Memory memory) {
        if (page instanceof SeenPage.Start) {
            List<String> searches = SearchWords.suggestions(state.instruction(), 8);
            return searches.get(Math.min(memory.searches(), searches.size() - 1));
        }
        if (page instanceof SeenPage.Results results) {
            return open(state, results.offers(), memory);
        }
        if (page instanceof SeenPage.Item && memory.current().isPresent()) {
            return look(state, memory.current().get(), memory);
        }
        return back(state);
    }

    /** The next result to look at, or at the end the best of those that were looked at. */
    private String open(State state, List<SeenPage.Offer> offers, Memory memory) {
        if (offers.isEmpty()) {
            return NEW_SEARCH;
        }
        boolean enough = memory.products() >= options.candidates() || state.turn() >= LATEST;
        Optional<SeenPage.Offer> next =
                offers.stream()
                        .filter(o -> !memory.knows(o.asin()))
                        .max(byTitle(memory.wish(), offers));
        if (!enough && next.isPresent()) {
            return SeenPage.click(next.get().asin());
        }
        return SeenPage.click(
                offers.stream()
                        .max(Comparator.comparingDouble(offer -> value(offer, memory)))
                        .orElseThrow()
                        .asin());
    }

    private static Comparator<SeenPage.Offer> byTitle(Wish wish, List<SeenPage.Offer> offers) {
        return Comparator.comparingDouble(
                offer ->
                        wish.wordsIn(offer.title())
                                + (wish.affords(offer.price()) ? 0.3 : 0)
                                // The search engine knows descriptions, too.
                                - 0.05 * offers.indexOf(offer));
    }

    private static double value(SeenPage.Offer offer, Memory memory) {
        return memory.appraisal(offer.asin()).map(Appraisal::value).orElse(-1.0);
    }

    private String look(State state, String asin, Memory memory) {
        Appraisal appraisal = memory.appraisal(asin).orElseThrow();
        boolean decided =
                appraisal.convincing()
                        || memory.cameBack()
                        || options.candidates() == 1
                        || state.turn() > LATEST;
        if (decided) {
            return buy(appraisal.choices(), memory);
        }
        return options.readFeatures() && !memory.did(FEATURES) ? FEATURES : BACK;
    }

    private static String buy(List<String> choices, Memory memory) {
        return choices.stream()
                .map(SeenPage::click)
                .filter(click -> !memory.did(click))
                .findFirst()
                .orElse(BUY);
    }

    private static String back(State state) {
        List<String> clicks = clicks(state);
        return clicks.contains(BACK) ? BACK : clicks.get(0);
    }

    private static String inBrackets(String text) {
        return PythonText.lower(text).replace('[', '(').replace(']', ')');
    }

    private static String search(String words) {
        return "search[" + words + "]";
    }
}
