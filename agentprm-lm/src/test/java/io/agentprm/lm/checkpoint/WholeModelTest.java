package io.agentprm.lm.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.lm.testing.TinyModels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models written as whole ones; that merging merges is said in AdapterDirectoryTest. */
class WholeModelTest {
    @TempDir Path dir;

    private static float nearestBfloat16(float value) {
        float low = Float.intBitsToFloat(Float.floatToRawIntBits(value) & 0xffff0000);
        float high = Float.intBitsToFloat(Float.floatToRawIntBits(low) + 0x10000);
        double below = Math.abs((double) value - low);
        double above = Math.abs((double) high - value);
        boolean lowIsEven = (Float.floatToRawIntBits(low) & 0x10000) == 0;
        return below < above || below == above && lowIsEven ? low : high;
    }

    @Test
    void bf16RoundsEveryWeightToTheNearest() {
        ModelDirectory model = ModelDirectory.open(TinyModels.create(dir, "m", 3));
        ModelDirectory written = WholeModel.write(model, dir.resolve("w"), ElementType.BF16);
        int rounded = 0;
        try (Tensors own = model.openWeights();
                Tensors other = written.openWeights()) {
            assertEquals(own.names(), other.names());
            for (String name : own.names()) {
                assertEquals(ElementType.BF16, other.elementType(name), name);
                float[] values = own.toArray(name);
                float[] halves = other.toArray(name);
                for (int i = 0; i < values.length; i++) {
                    assertEquals(nearestBfloat16(values[i]), halves[i], name);
                    rounded += values[i] == halves[i] ? 0 : 1;
                }
            }
        }
        assertTrue(rounded > 1000, "numbers that are no bfloat16: " + rounded);
        assertEquals(
                "bfloat16",
                Json.readObject(dir.resolve("w/config.json")).path("torch_dtype").asText());
    }

    @Test
    void anAdapterBecomesAWholeModelThatStopsWhereItStopped() {
        ModelConfig config =
                TinyModels.config(32, 2, 48).toBuilder().scoreBias(false).scoreHead(false).build();
        ModelDirectory base = ModelDirectory.open(TinyModels.create(dir, "base", 5, config));
        ModelDirectory adapter =
                AdapterInitializer.create(
                        base, dir.resolve("a"), LoraConfig.defaults(), true, 7, List.of(7, 2));
        ModelDirectory written = WholeModel.write(adapter, dir.resolve("w"), ElementType.F32);
        assertTrue(written.adapter().isEmpty());
        assertTrue(written.config().scoreHead());
        assertEquals(List.of(7, 2), written.stopTokenIds());
        assertTrue(Files.exists(dir.resolve("w/tokenizer.json")));
    }
}
