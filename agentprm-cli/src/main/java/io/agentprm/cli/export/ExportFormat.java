package io.agentprm.cli.export;

import io.agentprm.core.RunException;
import io.agentprm.engine.onnx.OnnxExport;
import io.agentprm.engine.onnx.Precision;
import io.agentprm.lm.checkpoint.ElementType;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.WholeModel;
import io.agentprm.lm.gguf.GgufExport;
import io.agentprm.lm.gguf.GgufPrecision;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a model is written for. */
enum ExportFormat {
    /** ONNX Runtime. */
    ONNX {
        @Override
        void write(Path source, Path target, String precision) {
            OnnxExport.write(source, target, chosen(Precision.values(), precision));
        }
    },
    /** llama.cpp. */
    GGUF {
        @Override
        void write(Path source, Path target, String precision) {
            GgufExport.write(source, target, chosen(GgufPrecision.values(), precision));
        }
    },
    /** Whatever reads Hugging Face directories. */
    SAFETENSORS {
        @Override
        void write(Path source, Path target, String precision) {
            ElementType[] written = {ElementType.F32, ElementType.BF16};
            WholeModel.write(ModelDirectory.open(source), target, chosen(written, precision));
        }
    };

    /**
     * Exports a model.
     *
     * @param precision name of a number format
     * @throws RunException if there is no such number format
     */
    abstract void write(Path source, Path target, String precision);

    <P extends Enum<P>> P chosen(P[] precisions, String name) {
        return Arrays.stream(precisions)
                .filter(precision -> precision.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new RunException(
                                        "--precision must be one of "
                                                + Arrays.stream(precisions)
                                                        .map(ExportFormat::label)
                                                        .collect(Collectors.joining(", "))
                                                + " for --format "
                                                + label(this)
                                                + ", was "
                                                + name));
    }

    private static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
