package io.agentprm.lm.checkpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Turns a configuration into the classic style of config.json. */
final class ModelConfigWriter {
    private ModelConfigWriter() {}

    static ObjectNode toJson(ModelConfig config, ElementType weights) {
        ModelFamily family = config.family();
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("model_type", family.modelType());
        json.putArray("architectures")
                .add(config.scoreHead() ? family.classifierClass() : family.causalClass());
        json.put("vocab_size", config.vocabSize());
        json.put("hidden_size", config.hiddenSize());
        json.put("intermediate_size", config.intermediateSize());
        json.put("num_hidden_layers", config.layers());
        json.put("num_attention_heads", config.heads());
        json.put("num_key_value_heads", config.kvHeads());
        json.put("head_dim", config.headDim());
        json.put("hidden_act", "silu");
        json.put("rms_norm_eps", config.rmsNormEps());
        json.put("rope_theta", config.ropeTheta());
        putScaling(json, config.ropeScaling());
        json.put("tie_word_embeddings", config.tiedEmbeddings());
        json.put("max_position_embeddings", config.contextLength());
        config.bosTokenId().ifPresent(id -> json.put("bos_token_id", id));
        config.padTokenId().ifPresent(id -> json.put("pad_token_id", id));
        putIds(json, "eos_token_id", config.eosTokenIds());
        if (family == ModelFamily.MISTRAL) {
            // Without the key, other tools take a window of 4096.
            json.putNull("sliding_window");
        }
        if (family == ModelFamily.AGENTPRM) {
            json.put("attention_bias", config.qkvBias());
            json.put("qk_norm", config.qkNorm());
            json.put("previous_token_embedding", config.previousTokenEmbedding());
            json.put("second_previous_token_embedding", config.secondPreviousTokenEmbedding());
            json.put("recall_embedding", config.recallEmbedding());
            config.recallUntil().ifPresent(id -> json.put("recall_until_token_id", id));
        }
        if (config.scoreHead()) {
            json.putObject("id2label").put("0", "SCORE");
            json.putObject("label2id").put("SCORE", 0);
            json.put("language_head", config.languageHead());
            json.put("score_bias", config.scoreBias());
        }
        json.put("torch_dtype", weights.torchName());
        return json;
    }

    static void putIds(ObjectNode json, String key, List<Integer> ids) {
        if (ids.size() == 1) {
            json.put(key, ids.get(0));
        } else if (!ids.isEmpty()) {
            ids.forEach(json.putArray(key)::add);
        }
    }

    private static void putScaling(ObjectNode json, RopeScaling scaling) {
        if (scaling instanceof RopeScaling.Linear linear) {
            json.putObject("rope_scaling")
                    .put("rope_type", "linear")
                    .put("factor", linear.factor());
        } else if (scaling instanceof RopeScaling.Llama3 llama3) {
            json.putObject("rope_scaling")
                    .put("rope_type", "llama3")
                    .put("factor", llama3.factor())
                    .put("low_freq_factor", llama3.lowFrequencyFactor())
                    .put("high_freq_factor", llama3.highFrequencyFactor())
                    .put("original_max_position_embeddings", llama3.originalContext());
        }
    }
}
