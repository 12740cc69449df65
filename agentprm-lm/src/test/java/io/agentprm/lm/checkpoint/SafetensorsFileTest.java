package io.agentprm.lm.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.lm.LanguageModelException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafetensorsFileTest {
    @TempDir Path dir;

    @Test
    void offsetsThatDoNotFitTheShapeAreRejected() throws IOException {
        assertRejected(
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}}",
                8,
                "tensor a: shape [3] of F32 needs 12 bytes, data_offsets give 8");
    }

    @Test
    void overlappingTensorsAreRejected() throws IOException {
        assertRejected(
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
                        + "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[4,12]}}",
                12,
                "tensors a and b overlap");
    }

    @Test
    void aHeaderLongerThanTheFileIsRejectedBeforeItIsAllocated() throws IOException {
        Path file = dir.resolve("long.safetensors");
        Files.write(file, header(1L << 40, "{}", 90));
        assertMessage(file, "the header claims 1099511627776 bytes");
        Files.write(file, header(-1, "{}", 90));
        assertMessage(file, "the header claims 18446744073709551615 bytes");
    }

    @Test
    void aGitLfsPointerIsNamedAsSuch() throws IOException {
        Path file = dir.resolve("pointer.safetensors");
        Files.writeString(
                file, "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 380176\n");
        assertMessage(file, "is a Git LFS pointer, not weights; fetch the file itself");
    }

    @Test
    void trailingBytesAreRejected() throws IOException {
        assertRejected(
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
                11,
                "3 trailing bytes after the last tensor");
    }

    @Test
    void unusedBytesBetweenTensorsAreRejected() throws IOException {
        assertRejected(
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
                8,
                "4 unused bytes of data before tensor a");
    }

    @Test
    void offsetsOutsideOfTheDataAreRejected() throws IOException {
        assertRejected(
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}",
                8,
                "outside of the 8 bytes of data");
        assertRejected(
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[8,0]}}",
                8,
                "outside of the 8 bytes of data");
    }

    @Test
    void aSizeThatOverflowsIsRejected() throws IOException {
        assertRejected(
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[4611686018427387904,4611686018427387904],"
                        + "\"data_offsets\":[0,0]}}",
                0,
                "the size of shape [4611686018427387904, 4611686018427387904] overflows");
    }

    @Test
    void negativeOrFractionalNumbersAreRejected() throws IOException {
        assertRejected(
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,0]}}",
                0,
                "shape holds -1");
        assertRejected(
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4.5]}}",
                4,
                "data_offsets holds 4.5");
    }

    @Test
    void unknownElementTypesAndDuplicateNamesAreRejected() throws IOException {
        assertRejected(
                "{\"a\":{\"dtype\":\"Q4\",\"shape\":[1],\"data_offsets\":[0,4]}}",
                4,
                "unknown dtype 'Q4'");
        assertRejected(
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
                        + "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
                4,
                "Duplicate field 'a'");
    }

    @Test
    void textAndEmptyFilesAreRejected() throws IOException {
        Path file = dir.resolve("empty.safetensors");
        Files.write(file, new byte[0]);
        assertMessage(file, "has 0 bytes, too few for a header");
        Files.write(file, header(2, "[]", 0));
        assertMessage(file, "expected a JSON object");
        assertMessage(dir.resolve("absent.safetensors"), "No such weight file");
    }

    @Test
    void floatsSurviveARoundTripExactly() {
        Path file = dir.resolve("round.safetensors");
        float[] values = {0f, -0f, 1.5f, Float.MIN_VALUE, Float.MAX_VALUE, (float) Math.PI};
        SafetensorsWriter.write(
                file,
                List.of(
                        TensorData.of("b", TensorShape.of(2, 3), values),
                        TensorData.of("a", TensorShape.of(), new float[] {7})),
                ElementType.F32);
        try (SafetensorsFile read = SafetensorsFile.open(file)) {
            assertEquals(Set.of("a", "b"), read.names());
            assertEquals(TensorShape.of(2, 3), read.shape("b"));
            assertArrayEquals(values, read.toArray("b"));
            assertArrayEquals(new float[] {7}, read.toArray("a"));
            assertEquals("pt", read.metadata().get("format"));
        }
    }

    @Test
    void bfloat16IsRoundedToNearestEven() {
        assertEquals((short) 0x3f80, HalfFloats.toBfloat16(1f));
        assertEquals((short) 0x3f80, HalfFloats.toBfloat16(Float.intBitsToFloat(0x3f808000)));
        assertEquals((short) 0x3f82, HalfFloats.toBfloat16(Float.intBitsToFloat(0x3f818000)));
        assertEquals((short) 0x3f81, HalfFloats.toBfloat16(Float.intBitsToFloat(0x3f808001)));
        assertEquals((short) 0x7f80, HalfFloats.toBfloat16(Float.MAX_VALUE));
        assertTrue(Float.isNaN(HalfFloats.fromBfloat16(HalfFloats.toBfloat16(Float.NaN))));
        float quietNanOnly = Float.intBitsToFloat(0x7fffffff);
        assertTrue(Float.isNaN(HalfFloats.fromBfloat16(HalfFloats.toBfloat16(quietNanOnly))));
    }

    @Test
    void everyBfloat16ValueSurvivesARoundTrip() {
        Path file = dir.resolve("bf16.safetensors");
        float[] values = new float[0x7f80];
        for (int i = 0; i < values.length; i++) {
            values[i] = Float.intBitsToFloat(i << 16);
        }
        SafetensorsWriter.write(
                file,
                List.of(TensorData.of("x", TensorShape.of(values.length), values)),
                ElementType.BF16);
        try (SafetensorsFile read = SafetensorsFile.open(file)) {
            assertEquals(ElementType.BF16, read.elementType("x"));
            assertArrayEquals(values, read.toArray("x"));
        }
    }

    @Test
    void halfPrecisionIsRead() {
        assertEquals(1f, HalfFloats.fromFloat16((short) 0x3c00));
        assertEquals(-2f, HalfFloats.fromFloat16((short) 0xc000));
        assertEquals(65504f, HalfFloats.fromFloat16((short) 0x7bff));
        assertEquals(0x1p-24f, HalfFloats.fromFloat16((short) 0x0001));
        assertEquals(-0x1p-14f, HalfFloats.fromFloat16((short) 0x8400));
        assertEquals(Float.NEGATIVE_INFINITY, HalfFloats.fromFloat16((short) 0xfc00));
        assertTrue(Float.isNaN(HalfFloats.fromFloat16((short) 0x7e00)));
    }

    @Test
    void piecesAreReadWithoutTheRest() {
        Path file = dir.resolve("pieces.safetensors");
        float[] values = new float[200_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = i % 251;
        }
        SafetensorsWriter.write(
                file,
                List.of(
                        TensorData.of("a", TensorShape.of(1), new float[1]),
                        TensorData.of("b", TensorShape.of(values.length), values)),
                ElementType.BF16);
        try (SafetensorsFile read = SafetensorsFile.open(file)) {
            FloatBuffer piece = FloatBuffer.allocate(150_000);
            read.read("b", 50_000, piece);
            assertArrayEquals(Arrays.copyOfRange(values, 50_000, 200_000), piece.array());
            for (long from : new long[] {50_001, -1}) {
                LanguageModelException e =
                        assertThrows(
                                LanguageModelException.class,
                                () -> read.read("b", from, FloatBuffer.allocate(150_000)));
                assertTrue(
                        e.getMessage().contains("150000 floats from " + from + " on"),
                        e.getMessage());
            }
        }
    }

    @Test
    void manyThreadsReadPiecesOfOneFile() {
        Path file = dir.resolve("shared.safetensors");
        float[] values = new float[400_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        SafetensorsWriter.write(
                file,
                List.of(TensorData.of("a", TensorShape.of(values.length), values)),
                ElementType.F32);
        try (SafetensorsFile read = SafetensorsFile.open(file)) {
            IntStream.range(0, 8)
                    .parallel()
                    .forEach(
                            i -> {
                                FloatBuffer piece = FloatBuffer.allocate(50_000);
                                read.read("a", 50_000 * i, piece);
                                assertArrayEquals(
                                        Arrays.copyOfRange(values, 50_000 * i, 50_000 * (i + 1)),
                                        piece.array());
                            });
        }
    }

    @Test
    void theSameTensorsGiveTheSameBytesInAnyOrder() throws IOException {
        TensorData a = TensorData.of("a", TensorShape.of(2), new float[] {1, 2});
        TensorData b = TensorData.of("b", TensorShape.of(1), new float[] {3});
        Path first = dir.resolve("1");
        Path second = dir.resolve("2");
        SafetensorsWriter.write(first, List.of(a, b), ElementType.F32);
        SafetensorsWriter.write(second, List.of(b, a), ElementType.F32);
        assertEquals(-1, Files.mismatch(first, second));
    }

    @Test
    void aTensorHasAsManyValuesAsItsShape() {
        LanguageModelException e =
                assertThrows(
                        LanguageModelException.class,
                        () -> TensorData.of("a", TensorShape.of(3), new float[2]));
        assertTrue(e.getMessage().contains("Tensor a of shape [3] has 2 values"), e.getMessage());
    }

    /** More than what is written at a time, in both types. */
    @Test
    void aLargeTensorPassesInPieces() {
        TensorShape shape = TensorShape.of(1000, 300);
        List<Integer> pieces = new ArrayList<>();
        TensorData counting =
                new TensorData(
                        "a",
                        shape,
                        (from, target) -> {
                            pieces.add(target.remaining());
                            while (target.hasRemaining()) {
                                target.put((from++) % 251);
                            }
                        });
        for (ElementType type : List.of(ElementType.F32, ElementType.BF16)) {
            pieces.clear();
            Path file = dir.resolve(type.name());
            SafetensorsWriter.write(file, List.of(counting), type);
            assertTrue(Collections.max(pieces) <= 1 << 18, "pieces of " + pieces);
            assertEquals(300_000, pieces.stream().mapToInt(n -> n).sum());
            try (SafetensorsFile written = SafetensorsFile.open(file)) {
                float[] values = written.toArray("a");
                for (int i = 0; i < values.length; i++) {
                    assertEquals(i % 251, values[i]);
                }
            }
        }
    }

    @Test
    void valuesThatAreNotFiniteAreNeverStored() {
        for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
            TensorData tensor = TensorData.of("a", TensorShape.of(3), new float[] {1, bad, 2});
            LanguageModelException e =
                    assertThrows(
                            LanguageModelException.class,
                            () ->
                                    SafetensorsWriter.write(
                                            dir.resolve("w"), List.of(tensor), ElementType.F32));
            assertTrue(e.getMessage().contains("value 1 of tensor a is " + bad), e.getMessage());
        }
    }

    @Test
    void tensorsBeyondTwoGigabytesIntoTheFileAreMapped() throws IOException {
        Path file = dir.resolve("sparse.safetensors");
        long gap = 3L << 30;
        String json =
                String.format(
                        "{\"gap\":{\"dtype\":\"F32\",\"shape\":[%d],\"data_offsets\":[0,%d]},"
                                + "\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[%d,%d]}}",
                        gap / 4, gap, gap, gap + 4);
        try (var out =
                Files.newByteChannel(
                        file,
                        java.nio.file.StandardOpenOption.CREATE_NEW,
                        java.nio.file.StandardOpenOption.WRITE,
                        java.nio.file.StandardOpenOption.SPARSE)) {
            out.write(ByteBuffer.wrap(header(json.length(), json, 0)));
            out.position(8 + json.length() + gap);
            out.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(0, 2.5f));
        }
        try (SafetensorsFile read = SafetensorsFile.open(file)) {
            assertEquals(2.5f, read.toArray("x")[0]);
            LanguageModelException e =
                    assertThrows(LanguageModelException.class, () -> read.bytes("gap"));
            assertTrue(e.getMessage().contains("2 GiB is the limit"), e.getMessage());
            FloatBuffer piece = FloatBuffer.wrap(new float[] {7, 7});
            read.read("gap", gap / 4 - 2, piece);
            assertArrayEquals(new float[2], piece.array(), "a piece of it can be read");
        }
    }

    private void assertRejected(String json, int dataBytes, String message) throws IOException {
        Path file = dir.resolve("case.safetensors");
        Files.write(file, header(json.length(), json, dataBytes));
        assertMessage(file, message);
    }

    private static void assertMessage(Path file, String message) {
        LanguageModelException e =
                assertThrows(LanguageModelException.class, () -> SafetensorsFile.open(file));
        assertTrue(e.getMessage().contains(message), e.getMessage());
        assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
    }

    private static byte[] header(long length, String json, int dataBytes) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + text.length + dataBytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(length)
                .put(text)
                .array();
    }
}
