package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.lm.checkpoint.LoraAdapter;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.decode.PackedRows;
import io.agentprm.lm.decode.Tokens;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The model under check, opened anew for each block, and readings of the file of numbers. */
final class CheckedModel {
    private final DjlEngine engine;
    private final ModelDirectory directory;
    private final Optional<Path> adapter;
    private final JsonNode numbers;

    CheckedModel(
            DjlEngine engine, ModelDirectory directory, Optional<Path> adapter, JsonNode numbers) {
        this.engine = engine;
        this.directory = directory;
        this.adapter = adapter;
        this.numbers = numbers;
    }

    ModelDirectory directory() {
        return directory;
    }

    /** Another block of the same file. */
    JsonNode block(String name) {
        return numbers.path(name);
    }

    Optional<LoraAdapter> adapter() {
        return adapter.map(path -> LoraAdapter.read(path, directory.config()));
    }

    /** Runs something on freshly loaded weights. */
    <T> T with(Function<Decoder, T> work) {
        return engine.pass(
                () -> {
                    try (Decoder decoder = engine.decoder(directory, adapter)) {
                        return work.apply(decoder);
                    }
                });
    }

    /** Logits at every position of rows of equal or different length, padded on the right. */
    static float[][][] logits(Decoder decoder, List<int[]> rows) {
        List<TokenTree> trees =
                rows.stream().map(r -> TokenTree.trunk(TokenSegment.context(r))).toList();
        PackedRows packed = PackedRows.of(trees);
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
                        List.of());
    }

    /** Embeddings, outputs of the layers, the last one normalised: [layers + 1, length, hidden]. */
    static float[] states(Decoder decoder, int[] row) {
        Tokens tokens = new Tokens(1, row.length);
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

    /** Tensors of the checkpoint made of engine tensors. */
    static Map<String, float[]> byName(Decoder decoder, List<NDArray> arrays) {
        Map<String, float[]> out = new LinkedHashMap<>();
        for (int i = 0; i < arrays.size(); i++) {
            out.putAll(
                    decoder.layout()
                            .toCheckpoint(
                                    decoder.layout().tensors().get(i),
                                    arrays.get(i).toFloatArray()));
        }
        return out;
    }

    /** Overwrites the weights with those of the checkpoint's names. */
    static void set(Decoder decoder, Map<String, float[]> values) {
        for (int i = 0; i < decoder.weights().size(); i++) {
            decoder.set(
                    decoder.weights().get(i),
                    decoder.layout().toEngine(decoder.layout().tensors().get(i), values::get));
        }
    }

    static int[] ints(JsonNode array) {
        int[] out = new int[array.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = array.get(i).asInt();
        }
        return out;
    }

    static double norm(float[] values) {
        double sum = 0;
        for (float v : values) {
            sum += (double) v * v;
        }
        return Math.sqrt(sum);
    }

    /** Places of the ones of a mask. */
    static int[] places(JsonNode mask) {
        int[] all = ints(mask);
        return java.util.stream.IntStream.range(0, all.length).filter(i -> all[i] == 1).toArray();
    }

    /** The real tokens of a padded row: those whose mask is 1. */
    static int[] real(JsonNode ids, JsonNode mask) {
        int[] all = ints(ids);
        return java.util.Arrays.stream(places(mask)).map(i -> all[i]).toArray();
    }
}
