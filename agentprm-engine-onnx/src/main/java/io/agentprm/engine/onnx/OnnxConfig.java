package io.agentprm.engine.onnx;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.lm.DeviceChoice;

/**
 * Settings of the engine.
 *
 * @param device where models run
 * @param threads threads of a matrix product; 0 for all processors
 * @param precision number format of the weights of models that have not been exported; an exported
 *     one keeps its own
 * @param packedMegabytes weights of up to so many MiB in float32 that are larger than a cache are
 *     held twice, packed and as they are
 * @param cacheMegabytes bound of key-value caches per model, in MiB
 * @param batchTokens largest number of padded tokens of a pass over prompts or rows
 * @param decodeRows largest number of continuations that grow together
 */
@Description("ONNX Runtime: runs models of the Llama family, faster than the engine that trains.")
public record OnnxConfig(
        @Description("Where models run: auto, cpu or cuda. " + DeviceChoice.CUDA_UNTRIED + ".")
                @Default("auto")
                DeviceChoice device,
        @Description("Threads of a matrix product; 0 for all processors.") @Default("0")
                int threads,
        @Description(
                        "Number format of weights: f32, f16, int8 or int4. A model that was exported"
                                + " keeps its own.")
                @Default("f32")
                Precision precision,
        @Description(
                        "Float32 weights of 32 MiB and more are held twice up to this size in MiB:"
                                + " packed, for a few tokens at a time, and as they are, for a"
                                + " batch. Larger ones are held as they are.")
                @Default("1024")
                long packedMegabytes,
        @Description("Bound of the key-value caches of each model, in MiB.") @Default("512")
                long cacheMegabytes,
        @Description("Largest number of padded tokens of a pass over prompts.") @Default("8192")
                int batchTokens,
        @Description("Largest number of continuations that grow together.") @Default("512")
                int decodeRows) {
    /** Checks the ranges. */
    public OnnxConfig {
        requireAtLeast(0, threads, "threads");
        requireAtLeast(0, packedMegabytes, "packed-megabytes");
        requireAtLeast(1, cacheMegabytes, "cache-megabytes");
        requireAtLeast(1, batchTokens, "batch-tokens");
        requireAtLeast(1, decodeRows, "decode-rows");
    }

    private static void requireAtLeast(long least, long value, String key) {
        if (value < least) {
            throw new IllegalArgumentException(
                    key + " must be at least " + least + ", was " + value);
        }
    }

    /** The defaults. */
    public static OnnxConfig defaults() {
        return new OnnxConfig(DeviceChoice.AUTO, 0, Precision.F32, 1024, 512, 8192, 512);
    }

    /** The same settings with that many threads. */
    public OnnxConfig withThreads(int number) {
        return new OnnxConfig(
                device,
                number,
                precision,
                packedMegabytes,
                cacheMegabytes,
                batchTokens,
                decodeRows);
    }

    /** The same settings with that number format. */
    public OnnxConfig withPrecision(Precision format) {
        return new OnnxConfig(
                device, threads, format, packedMegabytes, cacheMegabytes, batchTokens, decodeRows);
    }
}
