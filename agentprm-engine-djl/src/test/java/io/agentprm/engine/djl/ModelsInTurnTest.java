package io.agentprm.engine.djl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDManager;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.lm.testing.AllocatedMemory;
import io.agentprm.lm.testing.TinyModels;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A closed model has given back all that it held, and the next one takes its place. */
class ModelsInTurnTest {
    private static final int[] PROMPT = {5, 9, 11, 7};

    @TempDir Path dir;

    private static int[] reply(LanguageModel model) {
        return model.generate(
                        List.of(
                                GenerationRequest.of(
                                                PROMPT,
                                                2,
                                                Sampling.temperature(1, 8),
                                                RandomSource.of(1))
                                        .in("c")))
                .get(0)
                .get(0)
                .tokens()
                .ids();
    }

    private static void train(DjlTrainableModel model) {
        boolean[] supervised = {false, true, true, true};
        TokenTree tree = TokenTree.trunk(TokenSegment.of(PROMPT, supervised, new int[0]));
        model.step(
                List.of(TrainingRow.of(tree)),
                Losses.of(Map.of(Channel.logProb(1), -1.0)),
                new UpdateOptions(1e-3, 1, 100));
    }

    /** Arrays of the whole process. */
    private static int arrays(NDManager root) {
        return root.getManagedArrays().size();
    }

    @Test
    void nativeArraysOfAClosedModelAreGoneAndASecondModelRuns() {
        Path first = TinyModels.create(dir, "first", 3);
        Path second = TinyModels.create(dir, "second", 4);
        try (DjlEngine engine = TestEngine.open()) {
            int[] alone;
            NDManager root;
            int before;
            try (LanguageModel model = engine.load(second)) {
                alone = reply(model);
                root = ((DjlLanguageModel) model).decoder().manager().getParentManager();
            }
            before = arrays(root);
            try (LanguageModel model = engine.load(first)) {
                reply(model);
                assertTrue(arrays(root) > before, "the model's arrays are counted");
            }
            assertEquals(before, arrays(root), "after running");
            try (DjlTrainableModel model =
                    (DjlTrainableModel) engine.loadTrainable(first, OptimizerOptions.adamW(0))) {
                train(model);
                reply(model);
            }
            assertEquals(before, arrays(root), "after training");
            try (LanguageModel model = engine.load(second)) {
                assertArrayEquals(alone, reply(model));
            }
            assertEquals(before, arrays(root), "after the second");
        }
    }

    /** The weights are 8 MB: one model left open would be seen. */
    @Test
    void nativeMemoryOfAClosedModelIsGivenBack() {
        AllocatedMemory.require();
        Path large = TinyModels.create(dir, "large", 4, TinyModels.config(256, 2, 512));
        try (DjlEngine engine = TestEngine.open()) {
            inTurn(engine, large);
            inTurn(engine, large);
            AllocatedMemory memory = AllocatedMemory.now();
            inTurn(engine, large);
            inTurn(engine, large);
            memory.assertNotGrown(4 << 20);
        }
    }

    private static void inTurn(DjlEngine engine, Path path) {
        try (LanguageModel model = engine.load(path)) {
            reply(model);
        }
        try (DjlTrainableModel model =
                (DjlTrainableModel) engine.loadTrainable(path, OptimizerOptions.adamW(0))) {
            train(model);
        }
    }
}
