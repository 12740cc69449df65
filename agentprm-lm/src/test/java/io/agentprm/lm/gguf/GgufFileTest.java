package io.agentprm.lm.gguf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.checkpoint.TensorShape;
import io.agentprm.lm.checkpoint.TensorValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GgufFileTest {
    @TempDir private Path directory;

    private static GgufTensor tensor(String name, TensorShape shape, float... values) {
        return new GgufTensor(
                name,
                shape,
                WeightFormat.F32,
                LongUnaryOperator.identity(),
                TensorValues.of(values));
    }

    /** Written by hand from the specification. */
    @Test
    void aFileIsThatOfTheSpecificationByteByByte() throws IOException {
        Path file = directory.resolve("golden.gguf");
        Metadata metadata =
                new Metadata()
                        .text("t", "é")
                        .number("n", 7)
                        .real("r", 0.5)
                        .flag("f", true)
                        .texts("a", List.of("x", ""))
                        .numbers("i", List.of(-1));
        GgufFile.write(
                file,
                metadata,
                List.of(
                        tensor("one", TensorShape.of(3), 1, 2, 3),
                        tensor("two", TensorShape.of(2, 1), 4, 5)));
        String header =
                "47475546 03000000 0200000000000000 0600000000000000"
                        + " 010000000000000074 08000000 0200000000000000c3a9"
                        + " 01000000000000006e 04000000 07000000"
                        + " 010000000000000072 06000000 0000003f"
                        + " 010000000000000066 07000000 01"
                        + " 010000000000000061 09000000 08000000 0200000000000000"
                        + " 010000000000000078 0000000000000000"
                        + " 010000000000000069 09000000 05000000 0100000000000000 ffffffff"
                        + " 03000000000000006f6e65 01000000 0300000000000000"
                        + " 00000000 0000000000000000"
                        + " 030000000000000074776f 02000000 0100000000000000 0200000000000000"
                        + " 00000000 2000000000000000";
        String packed = header.replace(" ", "");
        String filled = packed + "00".repeat(Math.floorMod(-packed.length() / 2, 32));
        String data =
                "0000803f0000004000004040" + "00".repeat(20) + "000080400000a040" + "00".repeat(24);
        assertEquals(filled + data, HexFormat.of().formatHex(Files.readAllBytes(file)));
    }

    @Test
    void rowsAreWrittenInTheirNewOrder() {
        Path file = directory.resolve("rows.gguf");
        GgufFile.write(
                file,
                new Metadata(),
                List.of(
                        new GgufTensor(
                                "t",
                                TensorShape.of(3, 2),
                                WeightFormat.F32,
                                row -> 2 - row,
                                TensorValues.of(new float[] {1, 2, 3, 4, 5, 6}))));
        assertArrayEquals(new float[] {5, 6, 3, 4, 1, 2}, GgufReading.of(file).floats("t"));
    }

    /** Longer than what is written at a time. */
    @Test
    void aLargeTensorIsWrittenWhole() {
        float[] values = new float[300_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        Path file = directory.resolve("large.gguf");
        GgufFile.write(
                file, new Metadata(), List.of(tensor("t", TensorShape.of(1000, 300), values)));
        assertArrayEquals(values, GgufReading.of(file).floats("t"));
    }

    @Test
    void aBrokenNumberIsNamedWithItsPlace() {
        LanguageModelException e =
                assertThrows(
                        LanguageModelException.class,
                        () ->
                                GgufFile.write(
                                        directory.resolve("x.gguf"),
                                        new Metadata(),
                                        List.of(
                                                tensor(
                                                        "w",
                                                        TensorShape.of(2, 2),
                                                        1,
                                                        2,
                                                        3,
                                                        Float.NaN))));
        assertTrue(e.getMessage().contains("tensor w: value 1 of row 1 is NaN"), e.getMessage());
    }
}
