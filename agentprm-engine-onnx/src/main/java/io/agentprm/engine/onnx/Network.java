package io.agentprm.engine.onnx;

import io.agentprm.engine.onnx.DecoderGraph.Feed;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.decode.Recall;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A graph of {@link DecoderGraph} in ONNX Runtime. Caches stay where they are; what crosses to the
 * device and back are token numbers, masks, and what is asked for. Used by one thread at a time.
 */
final class Network implements AutoCloseable {
    /** Planes of the tokens' numbers, in the order of {@code Tokens} and {@code PackedRows}. */
    private static final int IDS = 0;

    private static final int PREVIOUS = 1;
    private static final int POSITIONS = 2;
    private static final int RECALLED = 3;
    private static final int SECOND_PREVIOUS = 4;

    private static final float[] NOTHING = {};

    private final Map<Order, Session> sessions;

    /** One of them: all have the same inputs and outputs, and run on the same device. */
    private final Session session;

    private final CacheMoves moves;
    private final ModelConfig config;
    private final Map<Feed, HostTensor> feeds = new EnumMap<>(Feed.class);
    private final Map<String, HostTensor> outputs = new HashMap<>();
    private final CacheTensors cacheTensors;

    /**
     * @param sessions of the model in one or both orders; closed with this network, as are the
     *     moves
     * @throws OnnxEngineException if a graph is not one of ours, or of another version
     */
    Network(Map<Order, Session> sessions, CacheMoves moves, ModelConfig config) {
        this.sessions = sessions;
        this.moves = moves;
        this.config = config;
        this.session = sessions.values().iterator().next();
        for (Session each : sessions.values()) {
            if (!each.inputs().contains(Feed.CACHE_ROWS.label())) {
                moves.close();
                sessions.values().forEach(Session::close);
                throw new OnnxEngineException(
                        "the model's graph is not one that this version has exported (it has the"
                                + " inputs "
                                + new TreeSet<>(each.inputs())
                                + "). Export it again with ./agentprm export");
            }
        }
        this.cacheTensors = new CacheTensors(session.device(), config);
    }

    /** What the model's tokens recall. */
    Recall recall() {
        return Recall.of(config);
    }

    CacheMoves moves() {
        return moves;
    }

    /** Values of outputs by their names; good until the next run. */
    record Outputs(Map<String, float[]> values) {
        /** Nothing where it was not asked for. */
        float[] of(String name) {
            return values.getOrDefault(name, NOTHING);
        }
    }

    /**
     * Runs a pass.
     *
     * @param planes of the new tokens, [5, tokens]: id, preceding id, position, recalled id, id
     *     before the preceding; negative where there is none
     * @param caches get the new tokens' keys and values
     */
    Outputs run(Pass pass, long[] planes, Caches caches, Questions questions) {
        Map<String, Tensor> inputs = new HashMap<>();
        Map<String, Tensor> results = new HashMap<>();
        fill(inputs, pass, planes, caches, questions);
        List<Tensor> cached = cacheTensors.of(caches);
        for (int plane = 0; plane < cached.size(); plane++) {
            inputs.put(DecoderGraph.cache(plane), cached.get(plane));
            results.put(DecoderGraph.filled(plane), cached.get(plane));
        }
        for (String name : questions.outputs()) {
            results.put(name, output(name).shaped(questions.shape(name, config)));
        }
        sessions.getOrDefault(Order.fasterFor(pass.tokens()), session).run(inputs, results);
        Map<String, float[]> values = new HashMap<>();
        questions.outputs().forEach(name -> values.put(name, output(name).floats()));
        return new Outputs(values);
    }

    private void fill(
            Map<String, Tensor> to, Pass pass, long[] planes, Caches caches, Questions questions) {
        int n = pass.tokens();
        int s = pass.sequences();
        int w = pass.width();
        int columns = caches.columns();
        put(to, Feed.IDS, ids(planes, IDS, n), n);
        put(to, Feed.PREVIOUS, ids(planes, PREVIOUS, n), n);
        put(to, Feed.SECOND_PREVIOUS, ids(planes, SECOND_PREVIOUS, n), n);
        put(to, Feed.RECALLED, ids(planes, RECALLED, n), n);
        long[] positions = new long[n];
        System.arraycopy(planes, POSITIONS * n, positions, 0, n);
        put(to, Feed.POSITIONS, positions, n, 1);
        put(to, Feed.TOKENS, pass.tokensByPlace(), s, w);
        put(to, Feed.PLACES, pass.places(), n);
        put(
                to,
                Feed.CACHE_ROWS,
                pass.rows(config.kvHeads(), columns),
                (long) n * config.kvHeads(),
                1);
        put(to, Feed.SHAPE, new long[] {s, config.kvHeads(), 1, columns, config.headDim()}, 5);
        put(to, Feed.MASK, pass.mask(columns), s, 1, 1, w, columns);
        int p = questions.wanted().length;
        put(to, Feed.WANTED, questions.wanted(), p);
        put(to, Feed.SHARPNESS, questions.sharpness(), p, 1);
        put(to, Feed.TARGETS, questions.targets(), p, 1);
        put(to, Feed.MARKS, questions.marks(), questions.marks().length);
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

    private void put(Map<String, Tensor> to, Feed feed, long[] values, long... shape) {
        if (session.inputs().contains(feed.label())) {
            to.put(feed.label(), feed(feed, TensorType.INT64).of(values, shape));
        }
    }

    private void put(Map<String, Tensor> to, Feed feed, float[] values, long... shape) {
        if (session.inputs().contains(feed.label())) {
            to.put(feed.label(), feed(feed, TensorType.FLOAT).of(values, shape));
        }
    }

    private HostTensor feed(Feed feed, TensorType type) {
        return feeds.computeIfAbsent(feed, k -> new HostTensor(session.host(), type));
    }

    private HostTensor output(String name) {
        return outputs.computeIfAbsent(name, k -> new HostTensor(session.host(), TensorType.FLOAT));
    }

    @Override
    public void close() {
        feeds.values().forEach(HostTensor::close);
        outputs.values().forEach(HostTensor::close);
        cacheTensors.close();
        moves.close();
        sessions.values().forEach(Session::close);
    }
}
