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
 * @param cacheMegabytes bound of key-value caches per model, in MiB
 * @param batchTokens largest number of padded tokens of a forward pass without gradient
 * @param decodeRows largest number of continuations that grow together
 */
@Description("PyTorch through DJL: trains and runs models of the Llama family.")
public record DjlConfig(
        @Description("Where models run: auto, cpu or cuda.") @Default("auto") DeviceChoice device,
        @Description("Threads of a matrix product; 0 for all processors.") @Default("0")
                int threads,
        @Description("Number format of matrix products: f32, or bf16 (faster, less exact).")
                @Default("f32")
                Precision precision,
        @Description("Bound of the key-value caches of each model, in MiB.") @Default("512")
                long cacheMegabytes,
        @Description("Largest number of padded tokens of a forward pass without gradient.")
                @Default("8192")
                int batchTokens,
        @Description("Largest number of continuations that grow together.") @Default("512")
                int decodeRows) {
    public DjlConfig {
        if (threads < 0 || cacheMegabytes < 1 || batchTokens < 1 || decodeRows < 1) {
            throw new IllegalArgumentException(
                    "threads must be 0 or more, cache-megabytes, batch-tokens and decode-rows"
                            + " positive");
        }
    }

    /** The defaults. */
    public static DjlConfig defaults() {
        return new DjlConfig(DeviceChoice.AUTO, 0, Precision.F32, 512, 8192, 512);
    }

    /** The same settings with that many threads. */
    public DjlConfig withThreads(int number) {
        return new DjlConfig(device, number, precision, cacheMegabytes, batchTokens, decodeRows);
    }

    /** The same settings with that number format. */
    public DjlConfig withPrecision(Precision format) {
        return new DjlConfig(device, threads, format, cacheMegabytes, batchTokens, decodeRows);
    }
}
