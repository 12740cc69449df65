package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.lm.check.ReferenceCheck;
import io.agentprm.lm.check.Subject;
import io.agentprm.lm.checkpoint.LoraAdapter;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.TensorData;
import io.agentprm.lm.decode.ChannelPlan;
import io.agentprm.lm.decode.Conversations;
import io.agentprm.lm.decode.PackedRows;
import io.agentprm.lm.decode.Recall;
import io.agentprm.lm.decode.Tokens;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The model under check, opened anew for each question. */
final class CheckedModel implements Subject {
    private static final int CACHE_BYTES = 1 << 26;

    private final DjlEngine engine;
    private final ReferenceCheck check;
    private final Optional<Path> adapter;

    CheckedModel(DjlEngine engine, ReferenceCheck check, Optional<Path> adapter) {
        this.engine = engine;
        this.check = check;
        this.adapter = adapter;
    }

    ModelDirectory directory() {
        return check.model();
    }

    /** Another block of the same file. */
    JsonNode block(String name) {
        return check.block(name);
    }

    Optional<LoraAdapter> adapter() {
        return check.adapter();
    }

    /** Runs something on freshly loaded weights, beside which an adapter stands. */
    <T> T with(Function<Decoder, T> work) {
        return engine.pass(
                () -> {
                    try (Decoder decoder = engine.decoder(adapted())) {
                        return work.apply(decoder);
                    }
                });
    }

    private ModelDirectory adapted() {
        return adapter.map(directory()::adapted).orElse(directory());
    }

    /** Rows of different lengths are padded on the right. */
    @Override
    public float[][][] logits(List<int[]> rows) {
        return with(decoder -> logits(decoder, rows));
    }

    @Override
    public float[] forward(PackedRows rows, ChannelPlan plan) {
        return with(
                decoder -> {
                    try (NDManager manager = decoder.manager().newSubManager();
                            NDArray vector = decoder.outputs(manager, rows, plan)) {
                        return vector.toFloatArray();
                    }
                });
    }

    @Override
    public List<Generation> generate(List<GenerationRequest> requests, Set<Integer> stops) {
        return with(
                decoder -> {
                    DjlCacheMemory memory = new DjlCacheMemory(decoder);
                    Conversations conversations = new Conversations(memory, CACHE_BYTES);
                    Prompts prompts = new Prompts(decoder, conversations, memory, CACHE_BYTES);
                    List<Conversations.Entry> caches =
                            conversations.open(
                                    Collections.nCopies(requests.size(), Optional.empty()));
                    return new Generator(decoder, conversations, memory, prompts, stops)
                            .run(requests, caches, computed -> {}).stream()
                                    .map(list -> list.get(0))
                                    .toList();
                });
    }

    @Override
    public Optional<float[]> states(int[] row) {
        return Optional.of(with(decoder -> states(decoder, row)));
    }

    private static float[][][] logits(Decoder decoder, List<int[]> rows) {
        List<TokenTree> trees =
                rows.stream().map(r -> TokenTree.trunk(TokenSegment.context(r))).toList();
        PackedRows packed = PackedRows.of(trees, Recall.of(decoder.config()));
        int width = packed.size() / rows.size();
        try (NDManager manager = decoder.manager().newSubManager()) {
            NDArray hidden = hidden(decoder, manager, packed);
            float[] flat =
                    decoder.script()
                            .call(manager, "logits", false, hidden, decoder.weightList(), List.of())
                            .toFloatArray();
            int vocabulary = decoder.config().vocabSize();
            float[][][] out = new float[rows.size()][][];
            for (int r = 0; r < out.length; r++) {
                out[r] = new float[rows.get(r).length][vocabulary];
                for (int t = 0; t < out[r].length; t++) {
                    int start = (r * width + t) * vocabulary;
                    System.arraycopy(flat, start, out[r][t], 0, vocabulary);
                }
            }
            return out;
        }
    }

    private static NDArray hidden(Decoder decoder, NDManager manager, PackedRows packed) {
        return decoder.script()
                .call(
                        manager,
                        "hidden",
                        false,
                        Decoder.planes(manager, packed),
                        Decoder.tree(manager, packed),
                        decoder.weightList(),
                        decoder.anglesFor(packed.positions()),
                        Decoder.NO_DROPOUT,
                        List.of());
    }

    private static float[] states(Decoder decoder, int[] row) {
        Tokens tokens = new Tokens(1, row.length, Recall.of(decoder.config()));
        tokens.put(0, 0, row, 0);
        try (NDManager manager = decoder.manager().newSubManager()) {
            return decoder.script()
                    .call(
                            manager,
                            "states",
                            false,
                            Decoder.planes(manager, tokens),
                            decoder.weightList(),
                            decoder.anglesFor(tokens.positions()))
                    .toFloatArray();
        }
    }

    /** Tensors of the checkpoint made of arrays, one for each trained weight. */
    static Map<String, float[]> byName(Decoder decoder, List<NDArray> arrays) {
        Map<String, float[]> out = new LinkedHashMap<>();
        for (TensorData tensor : decoder.toCheckpoint("", arrays)) {
            float[] values = new float[Math.toIntExact(tensor.shape().elements())];
            tensor.values().read(0, FloatBuffer.wrap(values));
            out.put(tensor.name(), values);
        }
        return out;
    }

    /** Overwrites the trained weights with those of the checkpoint's names. */
    static void set(Decoder decoder, Map<String, float[]> values) {
        for (int i : decoder.layout().trained()) {
            decoder.set(
                    decoder.weights().get(i),
                    decoder.layout().toEngine(decoder.layout().tensors().get(i), values::get));
        }
    }

    static double norm(float[] values) {
        double sum = 0;
        for (float v : values) {
            sum += (double) v * v;
        }
        return Math.sqrt(sum);
    }
}
