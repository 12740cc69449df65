package io.agentprm.engine.djl;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.lm.DeviceChoice;

/**
 * Settings of the engine.
 *
 * @param device where models run
 * @param threads threads of a matrix product; 0 for all processors
 * @param precision number format of matrix products
 * @param weights number format in which weights that are not trained lie in memory
 * @param recomputeLayers whether training keeps of each layer only what goes in
 * @param logitMegabytes bound of the logits that lie in memory at once, in MiB
 * @param cacheMegabytes bound of key-value caches per model, in MiB
 * @param batchTokens largest number of padded tokens of a forward pass without gradient
 * @param decodeRows largest number of continuations that grow together
 */
@Description("PyTorch through DJL: trains and runs models of the Llama family.")
public record DjlConfig(
        @Description("Where models run: auto, cpu or cuda. " + DeviceChoice.CUDA_UNTRIED + ".")
                @Default("auto")
                DeviceChoice device,
        @Description("Threads of a matrix product; 0 for all processors.") @Default("0")
                int threads,
        @Description("Number format of matrix products: f32, or bf16 (faster, less exact).")
                @Default("f32")
                Precision precision,
        @Description(
                        "Number format in which weights that are not trained lie in memory: f32, or"
                                + " bf16 (half of it; exact where the checkpoint is bf16). Weights"
                                + " that are trained are always f32.")
                @Default("f32")
                Precision weights,
        @Description(
                        "Whether training keeps of each layer only what goes in, and computes the"
                                + " rest again on the way back: less memory for a third more time.")
                @Default("false")
                boolean recomputeLayers,
        @Description(
                        "Bound of the logits that lie in memory at once, in MiB. Where a batch of"
                                + " training exceeds it, logits are computed in pieces, and again"
                                + " on the way back.")
                @Default("512")
                long logitMegabytes,
        @Description("Bound of the key-value caches of each model, in MiB.") @Default("512")
                long cacheMegabytes,
        @Description("Largest number of padded tokens of a forward pass without gradient.")
                @Default("8192")
                int batchTokens,
        @Description("Largest number of continuations that grow together.") @Default("512")
                int decodeRows) {
    public DjlConfig {
        requireAtLeast(0, threads, "threads");
        requireAtLeast(1, logitMegabytes, "logit-megabytes");
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
    public static DjlConfig defaults() {
        return new DjlConfig(
                DeviceChoice.AUTO, 0, Precision.F32, Precision.F32, false, 512, 512, 8192, 512);
    }

    /** The same settings on that device. */
    public DjlConfig withDevice(DeviceChoice choice) {
        return new DjlConfig(
                choice,
                threads,
                precision,
                weights,
                recomputeLayers,
                logitMegabytes,
                cacheMegabytes,
                batchTokens,
                decodeRows);
    }

    /** The same settings with that many threads. */
    public DjlConfig withThreads(int number) {
        return with(number, precision, weights, recomputeLayers, logitMegabytes, cacheMegabytes);
    }

    /** The same settings with that number format of products. */
    public DjlConfig withPrecision(Precision format) {
        return with(threads, format, weights, recomputeLayers, logitMegabytes, cacheMegabytes);
    }

    /** The same settings with frozen weights held in that format. */
    public DjlConfig withWeights(Precision format) {
        return with(threads, precision, format, recomputeLayers, logitMegabytes, cacheMegabytes);
    }

    /** The same settings with layers recomputed in training, or not. */
    public DjlConfig withRecomputeLayers(boolean recompute) {
        return with(threads, precision, weights, recompute, logitMegabytes, cacheMegabytes);
    }

    /** The same settings with that bound of the logits, in MiB. */
    public DjlConfig withLogitMegabytes(long megabytes) {
        return with(threads, precision, weights, recomputeLayers, megabytes, cacheMegabytes);
    }

    /** The same settings with that bound of the caches, in MiB. */
    public DjlConfig withCacheMegabytes(long megabytes) {
        return with(threads, precision, weights, recomputeLayers, logitMegabytes, megabytes);
    }

    private DjlConfig with(
            int newThreads,
            Precision newPrecision,
            Precision newWeights,
            boolean recompute,
            long logits,
            long caches) {
        return new DjlConfig(
                device,
                newThreads,
                newPrecision,
                newWeights,
                recompute,
                logits,
                caches,
                batchTokens,
                decodeRows);
    }
}
