package io.agentprm.lm.testing;

import io.agentprm.lm.tokenizer.WordTrainer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A checkpoint of a {@link PublishedStyle} with random weights that F32, F16 and BF16 all hold
 * exactly. It writes its files byte by byte, so that nothing of the product takes part in them.
 */
public final class TinyCheckpoint {
    /** Element types of weight files. */
    public enum Stored {
        F32,
        F16,
        BF16
    }

    record Weight(int rows, int columns, float[] values) {}

    private final PublishedStyle style;
    private final Map<String, Weight> weights = new LinkedHashMap<>();
    private final Random random = new Random(17);

    private TinyCheckpoint(PublishedStyle style) {
        this.style = style;
        int q = PublishedStyle.HEADS * style.headDim;
        int kv = style.kvHeads * style.headDim;
        matrix("model.embed_tokens.weight", PublishedStyle.VOCABULARY, PublishedStyle.HIDDEN);
        for (int l = 0; l < PublishedStyle.LAYERS; l++) {
            String layer = "model.layers." + l + ".";
            projection(layer + "self_attn.q_proj", q);
            projection(layer + "self_attn.k_proj", kv);
            projection(layer + "self_attn.v_proj", kv);
            matrix(layer + "self_attn.o_proj.weight", PublishedStyle.HIDDEN, q);
            if (style.normsOfQueriesAndKeys()) {
                vector(layer + "self_attn.q_norm.weight", style.headDim, 1);
                vector(layer + "self_attn.k_norm.weight", style.headDim, 1);
            }
            int wide = PublishedStyle.INTERMEDIATE;
            matrix(layer + "mlp.gate_proj.weight", wide, PublishedStyle.HIDDEN);
            matrix(layer + "mlp.up_proj.weight", wide, PublishedStyle.HIDDEN);
            matrix(layer + "mlp.down_proj.weight", PublishedStyle.HIDDEN, wide);
            vector(layer + "input_layernorm.weight", PublishedStyle.HIDDEN, 1);
            vector(layer + "post_attention_layernorm.weight", PublishedStyle.HIDDEN, 1);
        }
        vector("model.norm.weight", PublishedStyle.HIDDEN, 1);
        if (!style.tied) {
            matrix("lm_head.weight", PublishedStyle.VOCABULARY, PublishedStyle.HIDDEN);
        }
    }

    /** The same weights each time. */
    public static TinyCheckpoint of(PublishedStyle style) {
        return new TinyCheckpoint(style);
    }

    /** Adds a head that differs from the embedding, which a tied model must not use. */
    public TinyCheckpoint withStrayHead() {
        matrix("lm_head.weight", PublishedStyle.VOCABULARY, PublishedStyle.HIDDEN);
        return this;
    }

    PublishedStyle style() {
        return style;
    }

    Weight weight(String name) {
        return weights.get(name);
    }

    private void projection(String name, int rows) {
        matrix(name + ".weight", rows, PublishedStyle.HIDDEN);
        if (style.biases()) {
            vector(name + ".bias", rows, 0);
        }
    }

    private void matrix(String name, int rows, int columns) {
        weights.put(name, new Weight(rows, columns, values(rows * columns, 0)));
    }

    private void vector(String name, int length, float centre) {
        weights.put(name, new Weight(length, 0, values(length, centre)));
    }

    /** Multiples of 1/64 within a half of the centre: six bits, where BF16 has eight. */
    private float[] values(int count, float centre) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = centre + (random.nextInt(63) - 31) / 64f;
        }
        return values;
    }

    /**
     * Writes a model directory.
     *
     * @param newStyle whether {@code config.json} is one of transformers 5
     * @param shards number of weight files; with an index where there are several
     */
    public Path write(Path directory, Stored type, int shards, boolean newStyle) {
        try {
            Files.createDirectories(directory);
            String name =
                    Map.of(Stored.F32, "float32", Stored.F16, "float16", Stored.BF16, "bfloat16")
                            .get(type);
            Files.writeString(
                    directory.resolve("config.json"),
                    newStyle ? style.newConfig(name) : style.classicConfig(name));
            WordTrainer.standard().train(List.of()).write(directory.resolve("tokenizer.json"));
            if (shards == 1) {
                Files.write(
                        directory.resolve("model.safetensors"),
                        file(List.copyOf(weights.keySet()), type));
            } else {
                writeShards(directory, type, shards);
            }
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void writeShards(Path directory, Stored type, int shards) throws IOException {
        List<List<String>> names = new ArrayList<>();
        for (int s = 0; s < shards; s++) {
            names.add(new ArrayList<>());
        }
        List<String> map = new ArrayList<>();
        int next = 0;
        for (String name : weights.keySet()) {
            int shard = next++ % shards;
            names.get(shard).add(name);
            map.add("\"%s\": \"%s\"".formatted(name, shardName(shard, shards)));
        }
        for (int s = 0; s < shards; s++) {
            Files.write(directory.resolve(shardName(s, shards)), file(names.get(s), type));
        }
        Files.writeString(
                directory.resolve("model.safetensors.index.json"),
                "{\"metadata\": {\"total_size\": 1}, \"weight_map\": {%s}}"
                        .formatted(String.join(", ", map)));
    }

    private static String shardName(int shard, int shards) {
        return "model-%05d-of-%05d.safetensors".formatted(shard + 1, shards);
    }

    private byte[] file(List<String> names, Stored type) {
        List<String> entries = new ArrayList<>(List.of("\"__metadata__\": {\"format\": \"pt\"}"));
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        for (String name : names) {
            Weight weight = weights.get(name);
            int begin = data.size();
            data.writeBytes(bytes(weight.values(), type));
            entries.add(
                    "\"%s\": {\"dtype\": \"%s\", \"shape\": [%s], \"data_offsets\": [%d, %d]}"
                            .formatted(
                                    name,
                                    type,
                                    weight.columns() == 0
                                            ? weight.rows()
                                            : weight.rows() + ", " + weight.columns(),
                                    begin,
                                    data.size()));
        }
        byte[] header = ("{" + String.join(", ", entries) + "}").getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + header.length + data.size())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header.length)
                .put(header)
                .put(data.toByteArray())
                .array();
    }

    private static byte[] bytes(float[] values, Stored type) {
        int width = type == Stored.F32 ? 4 : 2;
        ByteBuffer out = ByteBuffer.allocate(values.length * width).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            int bits = Float.floatToIntBits(value);
            switch (type) {
                case F32 -> out.putInt(bits);
                case BF16 -> out.putShort((short) (bits >>> 16));
                case F16 -> out.putShort(half(bits));
            }
        }
        return out.array();
    }

    /** Of a number whose digits and exponent half precision has room for. */
    private static short half(int bits) {
        int sign = bits >>> 16 & 0x8000;
        int exponent = (bits >>> 23 & 0xff) - 127 + 15;
        return (short)
                ((bits & 0x7fffffff) == 0 ? sign : sign | exponent << 10 | (bits >>> 13 & 0x3ff));
    }
}
