package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.checkpoint.ContentHash;
import io.agentprm.lm.checkpoint.TensorShape;
import io.agentprm.lm.testing.TinyModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OnnxExportTest {
    private static final Channel LOG_PROB = Channel.logProb(1);

    @TempDir private Path directory;

    private Path export(Path model, Precision precision) {
        Path target = directory.resolve("exported-" + precision);
        OnnxExport.write(model, target, precision);
        return target;
    }

    private static double[] logProbs(OnnxEngine engine, Path model) {
        try (LanguageModel loaded = engine.load(model)) {
            int[] tokens = new Random(3).ints(60, 3, TinyModels.VOCABULARY).toArray();
            boolean[] supervised = new boolean[tokens.length];
            Arrays.fill(supervised, 1, tokens.length, true);
            TokenTree row =
                    TokenTree.trunk(
                            TokenSegment.of(tokens, supervised, new int[] {tokens.length - 1}));
            return loaded.evaluate(List.of(row), Set.of(LOG_PROB)).at(LOG_PROB, 0, 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anExportedModelHasTheNumbersOfOneMadeOnLoading(Precision precision) {
        Path model = TinyModels.create(directory, "model", 5);
        OnnxConfig config = OnnxConfig.defaults().withThreads(1);
        try (OnnxEngine fresh = OnnxEngine.open(config.withPrecision(precision));
                OnnxEngine any = OnnxEngine.open(config)) {
            assertArrayEquals(
                    logProbs(fresh, model), logProbs(any, export(model, precision)), 1e-9);
        }
    }

    @Test
    void fewerBitsAreNearTheExactNumbersAndFewerStillLessSo() {
        Path model = TinyModels.create(directory, "model", 6);
        double int8 = 0;
        double int4 = 0;
        OnnxConfig config = OnnxConfig.defaults().withThreads(1);
        try (OnnxEngine engine = OnnxEngine.open(config)) {
            double[] exact = logProbs(engine, model);
            double[] eight = logProbs(engine, export(model, Precision.INT8));
            double[] four = logProbs(engine, export(model, Precision.INT4));
            for (int i = 0; i < exact.length; i++) {
                int8 = Math.max(int8, Math.abs(eight[i] - exact[i]));
                int4 = Math.max(int4, Math.abs(four[i] - exact[i]));
            }
        }
        assertTrue(int8 > 1e-4 && int8 < 0.1, "int8 is off by " + int8);
        assertTrue(int4 > int8 && int4 < 1, "int4 is off by " + int4);
    }

    @Test
    void fewerBitsTakeLessSpace() throws IOException {
        Path model = TinyModels.create(directory, "model", 6, TinyModels.config(128, 4, 384));
        long f32 = Files.size(export(model, Precision.F32).resolve("model.onnx.data"));
        long int8 = Files.size(export(model, Precision.INT8).resolve("model.onnx.data"));
        long int4 = Files.size(export(model, Precision.INT4).resolve("model.onnx.data"));
        assertTrue(int8 < 0.4 * f32, int8 + " of " + f32);
        assertTrue(int4 < 0.75 * int8, int4 + " of " + int8);
    }

    @ParameterizedTest
    @CsvSource({"INT8, 32", "INT4, 16"})
    void headAndEmbeddingsHaveEightBitsWhateverTheLayersHave(Precision precision, int blockBytes) {
        OnnxGraph graph = new OnnxGraph("data");
        DecoderGraph.build(TinyModels.config(64, 1, 96), precision, name -> new float[0], graph);
        Map<String, Weight> weights =
                graph.weights().stream().collect(Collectors.toMap(Weight::name, w -> w));
        assertEquals(
                TensorShape.of(TinyModels.VOCABULARY, 2, 32),
                weights.get("lm_head.weight.blocks").shape());
        assertEquals(TensorType.INT8, weights.get("model.embed_tokens.weight.rounded").type());
        assertEquals(
                TensorShape.of(64, 3, blockBytes),
                weights.get("model.layers.0.mlp.down_proj.weight.blocks").shape());
    }

    @Test
    void whatLiesBesideTheWeightsComesAlongAndTheWeightsDoNot() throws IOException {
        Path model = TinyModels.create(directory, "model", 5);
        Files.writeString(model.resolve("chat_template.jinja"), "{{ messages }}");
        Path target = export(model, Precision.F32);
        for (String name : List.of("config.json", "tokenizer.json", "chat_template.jinja")) {
            assertEquals(-1, Files.mismatch(model.resolve(name), target.resolve(name)), name);
        }
        assertFalse(Files.exists(target.resolve("model.safetensors")));
    }

    @Test
    void theSameModelGivesTheSameBytes() {
        Path model = TinyModels.create(directory, "model", 5);
        Path other = directory.resolve("again");
        OnnxExport.write(model, other, Precision.INT4);
        assertEquals(ContentHash.of(export(model, Precision.INT4)), ContentHash.of(other));
    }

    @Test
    void anExistingDirectoryIsNotOverwritten() throws IOException {
        Path model = TinyModels.create(directory, "model", 5);
        Path target = Files.createDirectory(directory.resolve("there"));
        Files.writeString(target.resolve("mine.txt"), "mine");
        assertTrue(
                assertThrows(
                                LanguageModelException.class,
                                () -> OnnxExport.write(model, target, Precision.F32))
                        .getMessage()
                        .contains("exists already"));
        assertEquals("mine", Files.readString(target.resolve("mine.txt")));
    }

    @Test
    void aGraphOfAnotherVersionIsRefused() throws IOException {
        Path target = export(TinyModels.create(directory, "model", 5), Precision.F32);
        Files.write(target.resolve("model.onnx"), GraphMoves.graph());
        try (OnnxEngine engine = TestEngine.open()) {
            String message =
                    assertThrows(OnnxEngineException.class, () -> engine.load(target)).getMessage();
            assertTrue(message.contains("Export it again"), message);
        }
    }

    @Test
    void aTruncatedDataFileIsRefusedWithTheModelsName() throws IOException {
        Path target = export(TinyModels.create(directory, "model", 5), Precision.F32);
        Path data = target.resolve("model.onnx.data");
        byte[] bytes = Files.readAllBytes(data);
        Files.write(data, Arrays.copyOf(bytes, bytes.length / 2));
        try (OnnxEngine engine = TestEngine.open()) {
            String message =
                    assertThrows(OnnxEngineException.class, () -> engine.load(target)).getMessage();
            assertTrue(message.contains("model.onnx"), message);
        }
    }
}
