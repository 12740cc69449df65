package io.agentprm.engine.onnx;

import io.agentprm.api.IoReasons;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * Ties graphs to the weights that they were written with: the file of weights ends with a checksum
 * of them, and each graph's metadata holds the same. ONNX Runtime takes whatever bytes lie at a
 * weight's place, so without it files of two exports that were mixed up would compute nonsense. The
 * weights need not be read to find that.
 */
final class Seal {
    static final String KEY = "agentprm.weights";

    private static final String FORMAT_KEY = "agentprm.format";
    private static final String FORMAT = "4";
    private static final int LENGTH = 16;
    private static final String AGAIN = ". Export it again with ./agentprm export";

    private final CRC32C checksum = new CRC32C();

    /** Takes in the weights' bytes, one weight after the other. */
    Checksum checksum() {
        return checksum;
    }

    private String text() {
        return String.format(Locale.ROOT, "agentprm%08x", checksum.getValue());
    }

    /** Writes the end of the file of weights. */
    void appendTo(FileChannel weights) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text().getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            weights.write(bytes);
        }
    }

    /** Tells a graph about its weights. */
    void putInto(Map<String, String> metadata) {
        metadata.put(FORMAT_KEY, FORMAT);
        metadata.put(KEY, text());
    }

    /**
     * Checks that an exported graph is one of this version, and that its weights lie beside it.
     *
     * @throws OnnxEngineException if not
     */
    static void require(Path directory, Order order) {
        Path graph = directory.resolve(order.file());
        Path weights = directory.resolve(OnnxModel.DATA_FILE);
        try {
            Map<String, String> metadata = ModelMetadata.read(graph);
            if (!FORMAT.equals(metadata.get(FORMAT_KEY))) {
                throw new OnnxEngineException(
                        graph + " is cut, or not a graph that this version has exported" + AGAIN);
            }
            if (!endOf(weights).equals(metadata.get(KEY))) {
                throw new OnnxEngineException(
                        String.format(
                                Locale.ROOT,
                                "%s does not hold the weights of %s: one of them is cut, or of"
                                        + " another export%s",
                                weights,
                                order.file(),
                                AGAIN));
            }
        } catch (NoSuchFileException e) {
            throw new OnnxEngineException(e.getFile() + " is missing" + AGAIN, e);
        } catch (IOException e) {
            throw new OnnxEngineException(
                    "cannot read the exported model " + directory + ": " + IoReasons.of(e), e);
        }
    }

    private static String endOf(Path weights) throws IOException {
        ByteBuffer end = ByteBuffer.allocate(LENGTH);
        try (FileChannel channel = FileChannel.open(weights, StandardOpenOption.READ)) {
            channel.position(Math.max(0, Files.size(weights) - LENGTH));
            while (end.hasRemaining() && channel.read(end) >= 0) {
                continue;
            }
        }
        return new String(end.array(), StandardCharsets.US_ASCII);
    }
}
