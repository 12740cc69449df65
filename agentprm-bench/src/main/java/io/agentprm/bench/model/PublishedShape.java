package io.agentprm.bench.model;

import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelFamily;
import io.agentprm.lm.checkpoint.RopeScaling;
import java.util.List;

/** Published models whose shapes are measured; the weights are random. */
enum PublishedShape {
    /** So small that everything takes milliseconds: for checks that it runs. */
    TINY(
            ModelConfig.builder()
                    .family(ModelFamily.LLAMA)
                    .vocabSize(600)
                    .hiddenSize(32)
                    .intermediateSize(64)
                    .layers(2)
                    .heads(4)
                    .kvHeads(2)),
    /** HuggingFaceTB/SmolLM2-135M. */
    SMOLLM2_135M(
            ModelConfig.builder()
                    .family(ModelFamily.LLAMA)
                    .vocabSize(49152)
                    .hiddenSize(576)
                    .intermediateSize(1536)
                    .layers(30)
                    .heads(9)
                    .kvHeads(3)
                    .ropeTheta(100_000)
                    .contextLength(8192)),
    /** Qwen/Qwen2.5-0.5B. */
    QWEN2_5_0_5B(
            ModelConfig.builder()
                    .family(ModelFamily.QWEN2)
                    .vocabSize(151936)
                    .hiddenSize(896)
                    .intermediateSize(4864)
                    .layers(24)
                    .heads(14)
                    .kvHeads(2)
                    .qkvBias(true)
                    .rmsNormEps(1e-6)
                    .ropeTheta(1_000_000)
                    .contextLength(32768)),
    /** meta-llama/Llama-3.2-1B. */
    LLAMA3_2_1B(
            ModelConfig.builder()
                    .family(ModelFamily.LLAMA)
                    .vocabSize(128256)
                    .hiddenSize(2048)
                    .intermediateSize(8192)
                    .layers(16)
                    .heads(32)
                    .kvHeads(8)
                    .ropeTheta(500_000)
                    .ropeScaling(new RopeScaling.Llama3(32, 1, 4, 8192))
                    .contextLength(131072));

    private final ModelConfig config;

    PublishedShape(ModelConfig.Builder builder) {
        this.config =
                builder.tiedEmbeddings(true)
                        .bosTokenId(1)
                        .padTokenId(0)
                        .eosTokenIds(List.of(Models.END))
                        .build();
    }

    ModelConfig config() {
        return config;
    }
}
