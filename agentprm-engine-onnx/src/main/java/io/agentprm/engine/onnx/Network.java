package io.agentprm.engine.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.agentprm.engine.onnx.DecoderGraph.Feed;
import io.agentprm.lm.checkpoint.ModelConfig;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A graph of {@link DecoderGraph} in ONNX Runtime. Used by one thread at a time. */
final class Network implements AutoCloseable {
    /** Planes of the tokens' numbers, in the order of {@code Tokens} and {@code PackedRows}. */
    private static final int IDS = 0;

    private static final int PREVIOUS = 1;
    private static final int POSITIONS = 2;
    private static final int RECALLED = 3;
    private static final int SECOND_PREVIOUS = 4;

    private final OrtEnvironment environment;
    private final OrtSession session;
    private final ModelConfig config;
    private final Set<String> inputs;
    private final Scratch scratch = new Scratch();

    /**
     * @param session closed with this network
     */
    Network(OrtEnvironment environment, OrtSession session, ModelConfig config) {
        this.environment = environment;
        this.session = session;
        this.config = config;
        this.inputs = session.getInputNames();
    }

    /** Values of outputs by their names. */
    record Outputs(Map<String, float[]> values) {
        float[] of(String name) {
            return values.get(name);
        }
    }

    /**
     * Runs a pass.
     *
     * @param planes of the new tokens, [5, tokens]: id, preceding id, position, recalled id, id
     *     before the preceding; negative where there is none
     * @param window caches that the tokens see; absent where they see none
     * @param keepsKeysValues whether the new tokens' keys and values are wanted
     */
    Outputs run(
            Pass pass,
            long[] planes,
            Optional<Window> window,
            Questions questions,
            boolean keepsKeysValues) {
        Feeding feeding = new Feeding();
        try {
            feeding.fill(pass, planes, window, questions);
            Set<String> wanted = new HashSet<>(questions.outputs());
            if (keepsKeysValues || wanted.isEmpty()) {
                wanted.add(DecoderGraph.KEYS_VALUES);
            }
            try (OrtSession.Result result = session.run(feeding.tensors, wanted)) {
                Map<String, float[]> values = new HashMap<>();
                for (String name : wanted) {
                    OnnxTensor tensor = (OnnxTensor) result.get(name).orElseThrow();
                    values.put(name, tensor.getFloatBuffer().array());
                }
                return new Outputs(values);
            }
        } catch (OrtException e) {
            throw new OnnxEngineException("ONNX Runtime could not run the model: " + e, e);
        } finally {
            feeding.tensors.values().forEach(OnnxTensor::close);
        }
    }

    /** Tensors of a pass's inputs, over memory that is not theirs. */
    private final class Feeding {
        private final Map<String, OnnxTensor> tensors = new HashMap<>();

        void fill(Pass pass, long[] planes, Optional<Window> window, Questions questions)
                throws OrtException {
            int n = pass.tokens();
            int s = pass.sequences();
            int w = pass.width();
            int columns = window.map(Window::columns).orElse(0);
            float[] mask = pass.mask(columns);
            long[] places = pass.places();
            long[] byPlace = pass.tokensByPlace();
            long values =
                    planes.length
                            + 2L * byPlace.length
                            + n
                            + mask.length
                            + 3L * questions.wanted().length
                            + questions.marks().length
                            + 2;
            scratch.reset(values, Feed.values().length);
            put(Feed.IDS, ids(planes, IDS, n), n);
            put(Feed.PREVIOUS, ids(planes, PREVIOUS, n), n);
            put(Feed.SECOND_PREVIOUS, ids(planes, SECOND_PREVIOUS, n), n);
            put(Feed.RECALLED, ids(planes, RECALLED, n), n);
            long[] positions = new long[byPlace.length];
            for (int i = 0; i < positions.length; i++) {
                positions[i] = planes[POSITIONS * n + (int) byPlace[i]];
            }
            put(Feed.POSITIONS, positions, s, w);
            put(Feed.TOKENS, byPlace, s, w);
            put(Feed.PLACES, places, n);
            put(Feed.MASK, mask, s, 1, 1, w, (long) columns + w);
            put(Feed.WIDTHS, new long[] {columns, w}, 2);
            int p = questions.wanted().length;
            put(Feed.WANTED, questions.wanted(), p);
            put(Feed.SHARPNESS, questions.sharpness(), p, 1);
            put(Feed.TARGETS, questions.targets(), p, 1);
            put(Feed.MARKS, questions.marks(), questions.marks().length);
            FloatBuffer nothing = FloatBuffer.allocate(0);
            for (int plane = 0; plane < 2 * config.layers(); plane++) {
                int number = plane;
                FloatBuffer cache = window.map(v -> v.view(number)).orElse(nothing);
                String name =
                        plane % 2 == 0
                                ? DecoderGraph.keys(plane / 2)
                                : DecoderGraph.values(plane / 2);
                long[] shape = {s, config.kvHeads(), 1, columns, config.headDim()};
                tensors.put(name, OnnxTensor.createTensor(environment, cache, shape));
            }
        }

        /** A plane, with the row of zeros for what there is none of. */
        private long[] ids(long[] planes, int plane, int n) {
            long[] out = new long[n];
            for (int i = 0; i < n; i++) {
                long id = planes[plane * n + i];
                out[i] = id < 0 ? config.vocabSize() : id;
            }
            return out;
        }

        private void put(Feed feed, long[] values, long... shape) throws OrtException {
            if (inputs.contains(feed.label())) {
                LongBuffer buffer = scratch.of(values);
                tensors.put(feed.label(), OnnxTensor.createTensor(environment, buffer, shape));
            }
        }

        private void put(Feed feed, float[] values, long... shape) throws OrtException {
            if (inputs.contains(feed.label())) {
                FloatBuffer buffer = scratch.of(values);
                tensors.put(feed.label(), OnnxTensor.createTensor(environment, buffer, shape));
            }
        }
    }

    @Override
    public void close() {
        try {
            session.close();
        } catch (OrtException e) {
            throw new OnnxEngineException("ONNX Runtime could not close a model: " + e, e);
        } finally {
            scratch.close();
        }
    }
}
