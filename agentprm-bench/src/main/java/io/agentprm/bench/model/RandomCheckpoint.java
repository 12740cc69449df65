package io.agentprm.bench.model;

import io.agentprm.bench.measure.BenchmarkException;
import io.agentprm.lm.checkpoint.ElementType;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.TensorSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Writes a checkpoint of any size as it would be published: bfloat16, in shards where it is large,
 * with a tokenizer of as many tokens. Values go to the files as they are drawn, so that the writer
 * needs no memory to speak of.
 */
final class RandomCheckpoint {
    private static final long SHARD_BYTES = 1L << 30;
    private static final int CHUNK_BYTES = 1 << 20;

    /** Standard deviation of the weights, the usual initialisation of these families. */
    private static final double DEVIATION = 0.02;

    private static final int TABLE_BITS = 12;

    private final ModelConfig config;
    private final short[] normals = new short[1 << TABLE_BITS];

    private RandomCheckpoint(ModelConfig config) {
        this.config = config;
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < normals.length; i++) {
            normals[i] = bfloat16((float) (DEVIATION * random.nextGaussian()));
        }
    }

    /** Writes the directory unless it is there already. */
    static Path write(Path directory, ModelConfig config) {
        Path done = directory.resolve("config.json");
        try {
            if (!Files.exists(done)) {
                Files.createDirectories(directory);
                new RandomCheckpoint(config).writeFiles(directory);
                config.write(done, ElementType.BF16);
            }
            return directory;
        } catch (IOException e) {
            throw new BenchmarkException(directory + " can't be written", e);
        }
    }

    private void writeFiles(Path directory) throws IOException {
        SyntheticTokenizer.write(directory.resolve("tokenizer.json"), config.vocabSize());
        List<List<TensorSpec>> shards = shards();
        List<String> map = new ArrayList<>();
        for (int i = 0; i < shards.size(); i++) {
            String name =
                    shards.size() == 1
                            ? "model.safetensors"
                            : "model-%05d-of-%05d.safetensors".formatted(i + 1, shards.size());
            writeShard(directory.resolve(name), shards.get(i));
            shards.get(i).forEach(t -> map.add("\"%s\": \"%s\"".formatted(t.name(), name)));
        }
        if (shards.size() > 1) {
            Files.writeString(
                    directory.resolve("model.safetensors.index.json"),
                    "{\"metadata\": {\"total_size\": %d}, \"weight_map\": {%s}}"
                            .formatted(2 * config.parameters(), String.join(", ", map)));
        }
    }

    private List<List<TensorSpec>> shards() {
        List<List<TensorSpec>> shards = new ArrayList<>(List.of(new ArrayList<>()));
        long bytes = 0;
        for (TensorSpec tensor : config.tensors()) {
            if (bytes > 0 && bytes + bytes(tensor) > SHARD_BYTES) {
                shards.add(new ArrayList<>());
                bytes = 0;
            }
            bytes += bytes(tensor);
            shards.get(shards.size() - 1).add(tensor);
        }
        return shards;
    }

    private static long bytes(TensorSpec tensor) {
        return tensor.shape().elements() * ElementType.BF16.bytes();
    }

    private void writeShard(Path file, List<TensorSpec> tensors) throws IOException {
        List<String> entries = new ArrayList<>();
        long at = 0;
        for (TensorSpec tensor : tensors) {
            entries.add(
                    "\"%s\": {\"dtype\": \"BF16\", \"shape\": %s, \"data_offsets\": [%d, %d]}"
                            .formatted(tensor.name(), tensor.shape(), at, at + bytes(tensor)));
            at += bytes(tensor);
        }
        byte[] header = ("{" + String.join(", ", entries) + "}").getBytes(StandardCharsets.UTF_8);
        try (FileChannel out =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer start =
                    ByteBuffer.allocate(8 + header.length).order(ByteOrder.LITTLE_ENDIAN);
            writeFully(out, start.putLong(header.length).put(header).flip());
            ByteBuffer chunk =
                    ByteBuffer.allocateDirect(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            for (TensorSpec tensor : tensors) {
                writeValues(out, tensor, chunk);
            }
        }
    }

    private void writeValues(FileChannel out, TensorSpec tensor, ByteBuffer chunk)
            throws IOException {
        SplittableRandom random = new SplittableRandom(tensor.name().hashCode());
        boolean norm = tensor.name().endsWith("norm.weight");
        long left = tensor.shape().elements();
        while (left > 0) {
            int count = (int) Math.min(left, CHUNK_BYTES / 2);
            chunk.clear();
            for (int i = 0; i < count; i++) {
                int drawn = random.nextInt() >>> (Integer.SIZE - TABLE_BITS);
                chunk.putShort(norm ? bfloat16(1) : normals[drawn]);
            }
            writeFully(out, chunk.flip());
            left -= count;
        }
    }

    private static void writeFully(FileChannel out, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    private static short bfloat16(float value) {
        return (short) (Float.floatToIntBits(value) >>> 16);
    }
}
