package io.agentprm.testkit;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every {@link InferenceEngine} promises. Extend it with a small model whose ids 3 to 9 are
 * ordinary tokens:
 *
 * <pre>{@code
 * class MyEngineTest extends InferenceEngineContract {
 *     @Override
 *     protected InferenceEngine openEngine() {
 *         return new MyEngineProvider().create(new MyEngineConfig("cpu"), RunContext.ofSeed(1));
 *     }
 *
 *     @Override
 *     protected Path modelDirectory() {
 *         return Path.of("src/test/resources/tiny-model");
 *     }
 * }
 * }</pre>
 *
 * <p>An engine that trains also extends {@link TrainableModelContract}.
 */
public abstract class InferenceEngineContract {
    private static final Channel LOG_PROB = Channel.logProb(1);
    private static final int LIMIT = 5;

    @TempDir private Path directory;

    private InferenceEngine engine;
    private LanguageModel model;

    /** A fresh engine, the same at every call; closed after each test. */
    protected abstract InferenceEngine openEngine();

    /** The directory of a small model that the engine loads. */
    protected abstract Path modelDirectory();

    /** How far numbers of different batches may lie apart. */
    protected double tolerance() {
        return 2e-4;
    }

    @BeforeEach
    final void load() {
        engine = openEngine();
        model = engine.load(modelDirectory());
    }

    @AfterEach
    final void close() {
        model.close();
        engine.close();
    }

    private TokenTree row() {
        return TokenTree.trunk(
                TokenSegment.of(
                        new int[] {model.tokenizer().beginOfSequence(), 3, 4, 5},
                        new boolean[] {false, true, true, true},
                        new int[0]));
    }

    private double[] logProbs(LanguageModel of) {
        return of.evaluate(List.of(row()), Set.of(LOG_PROB)).at(LOG_PROB, 0, 0).clone();
    }

    private List<GenerationRequest> requests() {
        return IntStream.range(3, 7)
                .mapToObj(
                        id ->
                                GenerationRequest.of(
                                        new int[] {model.tokenizer().beginOfSequence(), id},
                                        2,
                                        Sampling.temperature(1, LIMIT),
                                        RandomSource.of(31).derive(id)))
                .toList();
    }

    private static String describe(List<Generation> generations) {
        return generations.stream()
                .map(g -> Arrays.toString(g.tokens().ids()) + (g.stopped() ? "." : "..."))
                .toList()
                .toString();
    }

    private static List<String> generate(LanguageModel of, List<GenerationRequest> requests) {
        return of.generate(requests).stream().map(InferenceEngineContract::describe).toList();
    }

    @Test
    final void aModelRunsOnTheDeviceThatTheEngineNames() {
        Rule rule =
                Rule.of(
                        "an engine names its effective device, and its models run there",
                        "report the device that is used, not the one that was asked for");
        rule.holds(!engine.device().isBlank(), "device()", "a device", "blank text");
        rule.same(engine.device(), model.info().device(), "info().device() of a model");
    }

    @Test
    final void aMissingModelIsAnErrorThatNamesItsPlace() {
        Rule rule =
                Rule.of(
                        "a directory without a model is refused with a message that names it",
                        "check for the files first and throw an AgentPrmException with the path");
        Path nowhere = directory.resolve("no-model-here");
        AgentPrmException error =
                rule.refused(
                        AgentPrmException.class, nowhere.toString(), () -> engine.load(nowhere));
        rule.holds(
                error.getMessage().contains("no-model-here"),
                "message",
                "the path " + nowhere,
                error.getMessage());
    }

    @Test
    final void twoLoadsAreTheSameModel() {
        Rule rule =
                Rule.of(
                        "a directory loaded twice gives the same numbers and the same samples",
                        "read every weight from the files, and draw from the request's random"
                                + " source");
        try (LanguageModel other = engine.load(modelDirectory())) {
            rule.near(logProbs(model), logProbs(other), 0, "log-probabilities");
            rule.sameLines(generate(model, requests()), generate(other, requests()), "samples");
        }
    }

    @Test
    final void closingOneModelLeavesTheOthers() {
        Rule rule =
                Rule.of(
                        "a model that is closed takes nothing from another one of the engine",
                        "give each model its own weights and caches, or count their users");
        LanguageModel other = engine.load(modelDirectory());
        double[] before = logProbs(model);
        other.close();
        rule.answered(
                "after another model was closed",
                () -> rule.near(before, logProbs(model), 0, "log-probabilities"));
    }

    @Test
    final void anEmptyBatchIsAnsweredByNothing() {
        Rule rule =
                Rule.of(
                        "no requests are answered by nothing",
                        "return an empty list before anything else");
        rule.answered(
                "generate(List.of())",
                () -> rule.same(List.of(), model.generate(List.of()), "generate(List.of())"));
        rule.answered(
                "score(List.of())",
                () -> rule.same(List.of(), model.score(List.of()), "score(List.of())"));
    }

    @Test
    final void whatElseIsInTheBatchChangesNoSample() {
        Rule rule =
                Rule.of(
                        "a batch of n is continued like n single requests, in the order asked",
                        "draw sample i from random().derive(i) of its request, and mask padding");
        List<String> single = new ArrayList<>();
        for (GenerationRequest request : requests()) {
            single.addAll(generate(model, List.of(request)));
        }
        rule.sameLines(single, generate(model, requests()), "all at once, request by line");
    }

    @Test
    final void aContinuationKeepsItsLimit() {
        Rule rule =
                Rule.of(
                        "a continuation has at most the tokens asked for, and says whether it"
                                + " stopped by itself",
                        "count the stop token too; stopped is true exactly if it is the last");
        for (List<Generation> generations : model.generate(requests())) {
            for (Generation generation : generations) {
                int[] ids = generation.tokens().ids();
                rule.holds(
                        ids.length >= 1 && ids.length <= LIMIT,
                        "number of tokens",
                        "1 to " + LIMIT,
                        ids.length);
                rule.same(
                        ids[ids.length - 1] == model.tokenizer().endOfTurn(),
                        generation.stopped(),
                        "stopped, for the tokens " + Arrays.toString(ids));
            }
        }
    }

    @Test
    final void trainingIsRefusedUnlessDeclared() {
        Assumptions.assumeFalse(engine.trains(), "trains");
        Rule rule =
                Rule.of(
                        "an engine that does not declare that it trains refuses to",
                        "leave loadTrainable as it is, or return true from trains()");
        rule.refused(
                UnsupportedOperationException.class,
                "loadTrainable",
                () -> engine.loadTrainable(modelDirectory(), OptimizerOptions.adamW(0)));
    }

    @Test
    final void aSavedModelLoadsWithTheSameNumbers() {
        Assumptions.assumeTrue(engine.trains(), "does not train");
        Rule rule =
                Rule.of(
                        "a trainable model that is saved is loaded with the same numbers",
                        "write weights, configuration and tokenizer, all of them, in the layout"
                                + " that load reads");
        Path saved = directory.resolve("saved");
        try (TrainableModel trainable =
                engine.loadTrainable(modelDirectory(), OptimizerOptions.adamW(0))) {
            trainable.save(saved);
            try (LanguageModel loaded = engine.load(saved)) {
                rule.near(logProbs(trainable), logProbs(loaded), tolerance(), "log-probabilities");
            }
        }
    }

    @Test
    final void aClosedModelRefuses() {
        Rule rule =
                Rule.of(
                        "a closed model answers nothing",
                        "remember that it is closed and throw an AgentPrmException: native memory"
                                + " must not be touched again");
        LanguageModel other = engine.load(modelDirectory());
        other.close();
        rule.refused(
                AgentPrmException.class, "generate after close", () -> other.generate(requests()));
    }

    @Test
    final void closingTwiceIsHarmless() {
        Rule rule =
                Rule.of(
                        "a model and an engine may be closed twice",
                        "make close do nothing the second time");
        LanguageModel other = engine.load(modelDirectory());
        other.close();
        rule.answered("second close of a model", other::close);
        InferenceEngine second = openEngine();
        second.close();
        rule.answered("second close of the engine", second::close);
    }
}
