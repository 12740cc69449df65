package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtProvider;
import ai.onnxruntime.OrtSession;
import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.agentprm.engine.onnx.CApi.Call;
import io.agentprm.engine.onnx.DecoderGraph.Feed;
import io.agentprm.lm.DeviceChoice;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.decode.Recall;
import io.agentprm.lm.decode.Tokens;
import io.agentprm.lm.testing.TinyModels;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class CApiTest {
    private static final int PROMPT = 7;
    private static final int COLUMNS = 12;

    @TempDir private Path directory;

    @Test
    void anOlderLibraryIsRefusedWithExpectedAndFoundVersions() {
        for (String old : List.of("1.28.9", "1.2.0", "2.29.0")) {
            String message =
                    assertThrows(OnnxEngineException.class, () -> CApi.requireVersion(old))
                            .getMessage();
            assertTrue(message.contains("expected ONNX Runtime 1.29"), message);
            assertTrue(message.contains("found " + old), message);
        }
        assertDoesNotThrow(() -> CApi.requireVersion("1.29.0"));
        assertDoesNotThrow(() -> CApi.requireVersion("1.30.2"));
    }

    /**
     * Places in the table that only a GPU's provider uses: ONNX Runtime says whose they are, if not
     * which: the one that changes options answers as the one behind it, which reads them, would.
     */
    @Test
    void theProvidersFunctionsAreWhereTheTableIsReadForThem() {
        assumeFalse(
                OrtEnvironment.getAvailableProviders().contains(OrtProvider.CUDA),
                "this ONNX Runtime has the CUDA provider");
        CApi api = OnnxRuntime.start(DeviceChoice.CPU, 1).api();
        String absent = "CUDA execution provider is not enabled in this build";
        refused(absent, () -> api.create(Call.CREATE_CUDA_OPTIONS));
        try (Memory none = new Memory(8)) {
            none.clear();
            refused(absent, () -> api.call(Call.UPDATE_CUDA_OPTIONS, none, none, none, 0L));
            Pointer options = api.create(Call.CREATE_SESSION_OPTIONS);
            refused("Provider_Cuda", () -> api.call(Call.APPEND_CUDA, options, none));
            api.release(Call.RELEASE_SESSION_OPTIONS, options);
        }
        // A build without the provider has nothing to release: this must do just that.
        api.release(Call.RELEASE_CUDA_OPTIONS, Pointer.NULL);
    }

    private static void refused(String part, Executable call) {
        String message = assertThrows(OnnxEngineException.class, call).getMessage();
        assertTrue(message.contains(part), message);
    }

    @Test
    void whatOnnxRuntimeRefusesHasItsMessage() {
        OnnxRuntime runtime = OnnxRuntime.start(DeviceChoice.CPU, 1);
        String message =
                assertThrows(OnnxEngineException.class, () -> runtime.session(new byte[] {1, 2, 3}))
                        .getMessage();
        assertTrue(message.contains("ONNX Runtime:"), message);
    }

    /** A prompt, then a token behind its cache: written by the one, read by the other. */
    @Test
    void logitsAreThoseOfTheJavaInterfaceBitByBit() throws OrtException {
        Path path = directory.resolve("exported");
        OnnxExport.write(TinyModels.create(directory, "model", 5), path, Precision.F32);
        ModelConfig config = ModelDirectory.withoutWeights(path).config();
        Path file = path.resolve(Order.STATES_FIRST.file());
        int[] ids = new Random(3).ints(PROMPT + 1, 3, TinyModels.VOCABULARY).toArray();
        OnnxRuntime runtime = OnnxRuntime.start(DeviceChoice.CPU, 1);
        Session session = runtime.session(file);
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(1);
            try (Network network =
                            new Network(
                                    Map.of(Order.STATES_FIRST, session),
                                    runtime.moves(session),
                                    config);
                    OrtSession peer =
                            OrtEnvironment.getEnvironment()
                                    .createSession(file.toString(), options);
                    KeyValueMemory memory = new KeyValueMemory(config, network.moves())) {
                memory.resize(1, COLUMNS);
                Map<String, float[]> caches = new HashMap<>();
                for (int plane = 0; plane < 2 * config.layers(); plane++) {
                    caches.put(
                            DecoderGraph.cache(plane),
                            new float[config.kvHeads() * COLUMNS * config.headDim()]);
                }
                for (int from : new int[] {0, PROMPT}) {
                    int count = from == 0 ? PROMPT : 1;
                    Tokens tokens = new Tokens(1, count, Recall.of(config));
                    Pass pass = new Pass(1);
                    tokens.put(0, 0, Arrays.copyOf(ids, from + count), from);
                    pass.add(0, from, new int[0], from, count);
                    Questions questions = Questions.logits(new long[] {count - 1});
                    float[] own;
                    try (Window window = Window.of(memory, 0)) {
                        own =
                                network.run(pass, tokens.planes(), window, questions)
                                        .of(DecoderGraph.LOGITS)
                                        .clone();
                    }
                    assertArrayEquals(
                            bits(peer(peer, config, pass, tokens.planes(), caches)), bits(own));
                }
            }
        }
    }

    private static int[] bits(float[] values) {
        int[] out = new int[values.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = Float.floatToRawIntBits(values[i]);
        }
        return out;
    }

    /** A pass through the Java interface; the caches, copies there and back, get its results. */
    private static float[] peer(
            OrtSession session,
            ModelConfig config,
            Pass pass,
            long[] planes,
            Map<String, float[]> caches)
            throws OrtException {
        int n = pass.tokens();
        int kv = config.kvHeads();
        int size = config.headDim();
        Map<String, OnnxTensor> feeds = new HashMap<>();
        Feed[] numbers = {
            Feed.IDS, Feed.PREVIOUS, Feed.POSITIONS, Feed.RECALLED, Feed.SECOND_PREVIOUS
        };
        for (int plane = 0; plane < numbers.length; plane++) {
            long[] own = Arrays.copyOfRange(planes, plane * n, (plane + 1) * n);
            for (int t = 0; t < n; t++) {
                own[t] = own[t] < 0 ? config.vocabSize() : own[t];
            }
            long[] shape = numbers[plane] == Feed.POSITIONS ? new long[] {n, 1} : new long[] {n};
            put(feeds, numbers[plane], own, shape);
        }
        put(feeds, Feed.TOKENS, pass.tokensByPlace(), 1, n);
        put(feeds, Feed.PLACES, pass.places(), n);
        put(feeds, Feed.CACHE_ROWS, pass.rows(kv, COLUMNS), (long) n * kv, 1);
        put(feeds, Feed.SHAPE, new long[] {1, kv, 1, COLUMNS, size}, 5);
        put(feeds, Feed.MASK, pass.mask(COLUMNS), 1, 1, 1, n, COLUMNS);
        put(feeds, Feed.WANTED, new long[] {n - 1}, 1);
        put(feeds, Feed.SHARPNESS, new float[] {1}, 1, 1);
        put(feeds, Feed.TARGETS, new long[1], 1, 1);
        put(feeds, Feed.MARKS, new long[0], 0);
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        for (Map.Entry<String, float[]> cache : caches.entrySet()) {
            long[] shape = {(long) kv * COLUMNS, size};
            FloatBuffer values = FloatBuffer.wrap(cache.getValue());
            feeds.put(cache.getKey(), OnnxTensor.createTensor(environment, values, shape));
        }
        feeds.keySet().retainAll(session.getInputNames());
        try (OrtSession.Result result = session.run(feeds)) {
            for (int plane = 0; plane < caches.size(); plane++) {
                caches.put(DecoderGraph.cache(plane), floats(result, DecoderGraph.filled(plane)));
            }
            return floats(result, DecoderGraph.LOGITS);
        } finally {
            feeds.values().forEach(OnnxTensor::close);
        }
    }

    private static float[] floats(OrtSession.Result result, String name) {
        return ((OnnxTensor) result.get(name).orElseThrow()).getFloatBuffer().array();
    }

    private static void put(Map<String, OnnxTensor> feeds, Feed feed, long[] values, long... shape)
            throws OrtException {
        feeds.put(
                feed.label(),
                OnnxTensor.createTensor(
                        OrtEnvironment.getEnvironment(), LongBuffer.wrap(values), shape));
    }

    private static void put(Map<String, OnnxTensor> feeds, Feed feed, float[] values, long... shape)
            throws OrtException {
        feeds.put(
                feed.label(),
                OnnxTensor.createTensor(
                        OrtEnvironment.getEnvironment(), FloatBuffer.wrap(values), shape));
    }
}
