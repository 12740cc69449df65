package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.checkpoint.ContentHash;
import io.agentprm.lm.checkpoint.TensorShape;
import io.agentprm.lm.checkpoint.TensorValues;
import io.agentprm.lm.testing.TinyModels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
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

    /** Of all heads: those of language and that of scores. */
    @ParameterizedTest
    @EnumSource
    void anExportedModelHasTheScoresOfOneMadeOnLoading(Precision precision) {
        Path model = TinyModels.create(directory, "model", 5);
        OnnxConfig config = OnnxConfig.defaults().withThreads(1);
        double[] exact;
        try (OnnxEngine engine = OnnxEngine.open(config)) {
            exact = scores(engine, model);
        }
        try (OnnxEngine fresh = OnnxEngine.open(config.withPrecision(precision));
                OnnxEngine any = OnnxEngine.open(config)) {
            double[] exported = scores(any, export(model, precision));
            assertArrayEquals(scores(fresh, model), exported, 1e-9);
            assertArrayEquals(exact, exported, precision == Precision.INT4 ? 0.5 : 0.1);
            if (precision == Precision.F32) {
                assertArrayEquals(exact, exported, 0);
            } else {
                assertFalse(Arrays.equals(exact, exported), "nothing was rounded");
            }
        }
    }

    private static double[] scores(OnnxEngine engine, Path model) {
        int[] tokens = new Random(3).ints(60, 3, TinyModels.VOCABULARY).toArray();
        List<int[]> replies = List.of(Arrays.copyOf(tokens, 5), Arrays.copyOfRange(tokens, 5, 12));
        try (LanguageModel loaded = engine.load(model)) {
            return loaded.score(List.of(new ContinuationRequest(tokens, replies, Optional.empty())))
                    .get(0);
        }
    }

    @Test
    void aWeightTooLargeForAHalfIsRefusedByName() {
        Weight weight = weights(Precision.F16, 7e4f).get("model.layers.0.mlp.up_proj.weight");
        ByteBuffer row = ByteBuffer.allocate(2 * 64);
        String message =
                assertThrows(OnnxEngineException.class, () -> weight.part().put(0, row))
                        .getMessage();
        assertTrue(message.contains("layers.0.mlp.up_proj.weight: 70000.0"), message);
    }

    /** So that large models are exported and loaded in little memory. */
    @ParameterizedTest
    @EnumSource
    void noMoreThanARowOfAMatrixIsReadAtATime(Precision precision) throws IOException {
        List<Integer> pieces = new ArrayList<>();
        OnnxGraph graph = new OnnxGraph("data");
        TensorValues values =
                (from, target) -> {
                    pieces.add(target.remaining());
                    target.put(new float[target.remaining()]);
                };
        DecoderGraph.build(
                TinyModels.config(64, 1, 96), precision, Order.WEIGHTS_FIRST, n -> values, graph);
        Path file = directory.resolve("data");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (Weight weight : graph.weights()) {
                weight.write(channel.position(graph.offset(weight)), new CRC32C());
            }
        }
        assertEquals(96, Collections.max(pieces));
        assertTrue(Files.size(file) <= graph.dataLength(), "more than there is room for");
    }

    private static Map<String, Weight> weights(Precision precision, float everywhere) {
        OnnxGraph graph = new OnnxGraph("data");
        TensorValues values =
                (from, target) -> {
                    while (target.hasRemaining()) {
                        target.put(everywhere);
                    }
                };
        DecoderGraph.build(
                TinyModels.config(64, 1, 96), precision, Order.STATES_FIRST, n -> values, graph);
        return graph.weights().stream().collect(Collectors.toMap(Weight::name, w -> w));
    }

    @Test
    void fewerBitsAreNearTheExactNumbersAndFewerStillLessSo() {
        Path model = TinyModels.create(directory, "model", 6);
        double f16 = 0;
        double int8 = 0;
        double int4 = 0;
        OnnxConfig config = OnnxConfig.defaults().withThreads(1);
        try (OnnxEngine engine = OnnxEngine.open(config)) {
            double[] exact = logProbs(engine, model);
            f16 = farthest(exact, logProbs(engine, export(model, Precision.F16)));
            int8 = farthest(exact, logProbs(engine, export(model, Precision.INT8)));
            int4 = farthest(exact, logProbs(engine, export(model, Precision.INT4)));
        }
        assertTrue(f16 > 1e-5 && f16 < 0.01, "f16 is off by " + f16);
        assertTrue(int8 > 3 * f16 && int8 < 0.1, "int8 is off by " + int8);
        assertTrue(int4 > 3 * int8 && int4 < 1, "int4 is off by " + int4);
    }

    private static double farthest(double[] exact, double[] rounded) {
        double most = 0;
        for (int i = 0; i < exact.length; i++) {
            most = Math.max(most, Math.abs(rounded[i] - exact[i]));
        }
        return most;
    }

    @Test
    void fewerBitsTakeLessSpace() throws IOException {
        Path model = TinyModels.create(directory, "model", 6, TinyModels.config(128, 4, 384));
        long f32 = Files.size(export(model, Precision.F32).resolve("model.onnx.data"));
        long f16 = Files.size(export(model, Precision.F16).resolve("model.onnx.data"));
        long int8 = Files.size(export(model, Precision.INT8).resolve("model.onnx.data"));
        long int4 = Files.size(export(model, Precision.INT4).resolve("model.onnx.data"));
        assertTrue(f16 < 0.7 * f32, f16 + " of " + f32);
        assertTrue(int8 < 0.4 * f32, int8 + " of " + f32);
        assertTrue(int4 < 0.75 * int8, int4 + " of " + int8);
    }

    @ParameterizedTest
    @CsvSource({"INT8, 32", "INT4, 16"})
    void headAndEmbeddingsHaveEightBitsWhateverTheLayersHave(Precision precision, int blockBytes) {
        Map<String, Weight> weights = weights(precision, 1);
        assertEquals(
                TensorShape.of(TinyModels.VOCABULARY, 2, 32),
                weights.get("model.embed_tokens.weight.blocks").shape());
        assertEquals(TensorType.INT8, weights.get("model.embed_tokens.weight.rounded").type());
        assertEquals(
                TensorShape.of(64, 3, blockBytes),
                weights.get("model.layers.0.mlp.down_proj.weight.blocks").shape());
    }

    @Test
    void whatLiesBesideTheWeightsComesAlongAndTheWeightsDoNot() throws IOException {
        Path model = TinyModels.create(directory, "model", 5);
        Files.writeString(model.resolve("chat_template.jinja"), "{{ messages }}");
        assertTrue(model.resolve("config.json").toFile().setReadOnly());
        Path target = export(model, Precision.F32);
        assertTrue(
                Files.getPosixFilePermissions(target.resolve("config.json"))
                        .contains(PosixFilePermission.OWNER_WRITE));
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

    /** Published checkpoints have them. */
    @Test
    void aGraphOfOthersBesideACheckpointIsNotTaken() throws IOException {
        Path model = TinyModels.create(directory, "model", 5);
        try (OnnxEngine engine = TestEngine.open()) {
            double[] before = logProbs(engine, model);
            Files.write(model.resolve("model.onnx"), GraphMoves.graph());
            assertArrayEquals(before, logProbs(engine, model), 0);
        }
    }

    @Test
    void aTruncatedDataFileIsRefusedWithItsName() throws IOException {
        Path target = export(TinyModels.create(directory, "model", 5), Precision.F32);
        Path data = target.resolve("model.onnx.data");
        byte[] bytes = Files.readAllBytes(data);
        Files.write(data, Arrays.copyOf(bytes, bytes.length / 2));
        assertRefused(target, "model.onnx.data does not hold the weights of model.onnx");
    }

    /** ONNX Runtime would compute with them. */
    @Test
    void weightsOfAnotherModelOfTheSameShapeAreRefused() throws IOException {
        Path target = export(TinyModels.create(directory, "model", 5), Precision.F32);
        Path other = export(TinyModels.create(directory, "other", 6), Precision.F16);
        Path same = directory.resolve("same");
        OnnxExport.write(directory.resolve("other"), same, Precision.F32);
        for (Path from : List.of(other, same)) {
            Files.copy(
                    from.resolve("model.onnx.data"),
                    target.resolve("model.onnx.data"),
                    StandardCopyOption.REPLACE_EXISTING);
            assertRefused(target, "model.onnx.data does not hold the weights of model.onnx");
        }
    }

    @Test
    void aGraphForBatchesOfAnotherExportIsRefused() throws IOException {
        Path model = TinyModels.create(directory, "model", 5, TinyModels.config(768, 2, 2048));
        Path target = export(model, Precision.F32);
        Files.copy(
                export(model, Precision.F16).resolve("model.batch.onnx"),
                target.resolve("model.batch.onnx"),
                StandardCopyOption.REPLACE_EXISTING);
        assertRefused(target, "does not hold the weights of model.batch.onnx");
    }

    @Test
    void aGraphThatIsCutAndMissingWeightsAreNamed() throws IOException {
        Path target = export(TinyModels.create(directory, "model", 5), Precision.F32);
        Path graph = target.resolve("model.onnx");
        byte[] bytes = Files.readAllBytes(graph);
        Files.delete(target.resolve("model.onnx.data"));
        assertRefused(target, "model.onnx.data is missing");
        for (int length : new int[] {0, 1, bytes.length / 2, bytes.length - 1}) {
            Files.write(graph, Arrays.copyOf(bytes, length));
            assertRefused(target, "model.onnx is cut, or not a graph");
        }
    }

    private static void assertRefused(Path model, String because) {
        try (OnnxEngine engine = TestEngine.open()) {
            String message =
                    assertThrows(OnnxEngineException.class, () -> engine.load(model).close())
                            .getMessage();
            assertTrue(message.contains(because), message);
            assertTrue(message.contains("./agentprm export"), message);
        }
    }
}
