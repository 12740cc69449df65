package io.agentprm.env.alfworld.generator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.run.RandomSource;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.expert.PlacementPrior;
import io.agentprm.env.alfworld.expert.Planner;
import io.agentprm.env.alfworld.game.GameReader;
import io.agentprm.env.alfworld.household.Blueprint;
import io.agentprm.env.alfworld.household.Household;
import io.agentprm.env.alfworld.household.Names;
import io.agentprm.env.alfworld.household.Step;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes training games out of given ones, released or generated: class numbers permuted, things
 * moved, rooms furnished anew, the task the same, a plan of their own. A variation depends on the
 * game, the options and the random stream only. Thread-safe.
 */
public final class GameVariation {
    private static final String OLD_TEMPLATE = "put {o} in/on {r}";
    private static final String OLD_PUTTING = "put %s in/on %s";
    private static final String PUTTING = "move %s to %s";

    /** Changes that may leave a game without a plan or without work before it is left as it is. */
    private static final int ATTEMPTS = 20;

    private static final String NAME = "variation";
    private static final Pattern DOMAIN = Pattern.compile("\\(:domain\\s+([^\\s()]+)");

    private final VariationOptions options;
    private final Relocation relocation;
    private final Refurnishing refurnishing;
    private final GameReader reader = new GameReader();
    private final ObjectMapper mapper = new ObjectMapper();

    /**
     * A way of varying games.
     *
     * @param rooms the training games at their start: where things lie and how rooms are furnished
     */
    public GameVariation(VariationOptions options, List<Household> rooms) {
        this.options = options;
        this.relocation = new Relocation(PlacementPrior.of(rooms), options.relocatedThings());
        this.refurnishing = new Refurnishing(Layouts.of(rooms), relocation);
    }

    /**
     * A variation of a game.
     *
     * @param id of the game, {@code <split>/<task folder>/<trial folder>}
     * @param json content of its {@code game.tw-pddl}
     * @param random stream of this variation
     * @return content of another, with a walkthrough
     * @throws AlfworldException if the game cannot be read or cannot be won
     */
    public String vary(String id, String json, RandomSource random) {
        ObjectNode game = read(id, json);
        Blueprint original =
                Blueprint.of(reader.read(id, json).problem())
                        .named(NAME, domainName(id, game.path("pddl_problem").asText()));
        Variant variant = vary(id, original, random);
        boolean old = game.path("grammar").asText().contains(OLD_TEMPLATE);
        Names names = Names.of(variant.blueprint().facts());
        ArrayNode walkthrough = mapper.createArrayNode();
        for (Step step : variant.plan()) {
            walkthrough.add(step.command(names, old ? OLD_PUTTING : PUTTING));
        }
        game.put("pddl_problem", variant.blueprint().text());
        game.set("walkthrough", walkthrough);
        try {
            return mapper.writeValueAsString(game);
        } catch (JsonProcessingException e) {
            throw new AlfworldException("a varied game cannot be written as JSON", e);
        }
    }

    private record Variant(Blueprint blueprint, List<Step> plan) {}

    private Variant vary(String id, Blueprint original, RandomSource random) {
        Blueprint renamed =
                options.permuteNumbers()
                        ? Renaming.permute(original, random.derive("numbers").generator())
                        : original;
        if (random.derive("furniture").generator().nextDouble() < options.refurnishedGames()) {
            Optional<Variant> other =
                    attempt(
                            draws -> refurnishing.refurnish(renamed, draws),
                            random.derive("furniture"));
            if (other.isPresent()) {
                return other.get();
            }
        }
        if (random.derive("whether").generator().nextDouble() < options.relocatedGames()) {
            Optional<Variant> other =
                    attempt(draws -> relocation.move(renamed, draws), random.derive("places"));
            if (other.isPresent()) {
                return other.get();
            }
        }
        return playable(renamed)
                .orElseThrow(
                        () ->
                                new AlfworldException(
                                        id
                                                + ": the game cannot be won or is won at the start, so it"
                                                + " cannot be varied; leave it out"));
    }

    /** The first change that leaves a game to play. */
    private static Optional<Variant> attempt(
            Function<RandomGenerator, Blueprint> change, RandomSource random) {
        for (long attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Variant> variant = playable(change.apply(random.derive(attempt).generator()));
            if (variant.isPresent()) {
                return variant;
            }
        }
        return Optional.empty();
    }

    private static Optional<Variant> playable(Blueprint game) {
        return Planner.plan(game.household())
                .filter(plan -> !plan.isEmpty())
                .map(plan -> new Variant(game, plan));
    }

    private static String domainName(String id, String problem) {
        Matcher matcher = DOMAIN.matcher(problem);
        if (!matcher.find()) {
            throw new AlfworldException(id + ": the problem names no (:domain ...)");
        }
        return matcher.group(1);
    }

    private ObjectNode read(String id, String json) {
        try {
            if (mapper.readTree(json) instanceof ObjectNode game) {
                return game;
            }
        } catch (JsonProcessingException e) {
            throw new AlfworldException(id + ": not JSON (" + e.getOriginalMessage() + ")", e);
        }
        throw new AlfworldException(id + ": not a JSON object");
    }
}
