package io.agentprm.engine.djl;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Packs TorchScript source into the archive that libtorch's {@code torch.jit.load} reads: a zip of
 * stored entries with the source of one class and a pickle of one instance of it. The instance has
 * no parameters; a library of functions is all it is.
 */
final class ScriptArchive {
    private static final String HEADER =
            """
            class Ops(Module):
              __parameters__ = []
              __buffers__ = []
              training : bool
              _is_full_backward_hook : Optional[bool]
            """;

    private ScriptArchive() {}

    /**
     * The bytes of the archive.
     *
     * @param methods method definitions, indented by two spaces, of a class named {@code
     *     __torch__.Ops}
     */
    static byte[] of(String methods) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            put(zip, "data.pkl", instance());
            put(zip, "code/__torch__.py", utf8(HEADER + methods));
            put(zip, "constants.pkl", new byte[] {(byte) 0x80, 2, ')', '.'});
            put(zip, "version", utf8("10\n"));
            put(zip, "byteorder", utf8("little"));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    /** Pickle protocol 2 of an {@code Ops} whose two attributes are set. */
    private static byte[] instance() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(new byte[] {(byte) 0x80, 2});
        out.write(utf8("c__torch__\nOps\n"));
        out.write(new byte[] {')', (byte) 0x81, '}', '('});
        out.write(unicode("training"));
        out.write(0x88);
        out.write(unicode("_is_full_backward_hook"));
        out.write(utf8("Nub."));
        return out.toByteArray();
    }

    private static byte[] unicode(String text) {
        byte[] bytes = utf8(text);
        return ByteBuffer.allocate(5 + bytes.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 'X')
                .putInt(bytes.length)
                .put(bytes)
                .array();
    }

    private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
        CRC32 crc = new CRC32();
        crc.update(content);
        ZipEntry entry = new ZipEntry("ops/" + name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(content.length);
        entry.setCrc(crc.getValue());
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
