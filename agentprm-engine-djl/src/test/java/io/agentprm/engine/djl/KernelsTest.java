package io.agentprm.engine.djl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.testing.TinyModels;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelsTest {
    @TempDir Path dir;

    @Test
    void theScriptIsTheSameBytesInEveryLocale() {
        ModelConfig config = ModelDirectory.open(TinyModels.create(dir, "model", 1)).config();
        byte[] usual = archive(config);
        Locale before = Locale.getDefault();
        // Its digits are not those of ASCII.
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
        try {
            assertArrayEquals(usual, archive(config));
        } finally {
            Locale.setDefault(before);
        }
    }

    private static byte[] archive(ModelConfig config) {
        return Kernels.archive(config, WeightLayout.of(config), Precision.F32, true);
    }
}
