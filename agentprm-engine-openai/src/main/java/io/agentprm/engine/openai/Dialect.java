package io.agentprm.engine.openai;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Kind of server. */
public enum Dialect {
    /** vLLM. */
    VLLM(
            "vllm",
            Capability.TOKEN_IDS,
            Capability.SEEDS,
            Capability.PROMPT_LOG_PROBS,
            Capability.SCORES),
    /**
     * SGLang, through its own endpoints where OpenAI's are not enough. It keeps to seeds when
     * started with {@code --enable-deterministic-inference}.
     */
    SGLANG(
            "sglang",
            Capability.TOKEN_IDS,
            Capability.SEEDS,
            Capability.PROMPT_LOG_PROBS,
            Capability.SCORES),
    /** The server of llama.cpp. */
    LLAMA_CPP("llama-cpp", Capability.TOKEN_IDS, Capability.SEEDS, Capability.TOKEN_GRAMMARS),
    /** Any other server that speaks OpenAI's API; OpenAI's own promises nothing for a seed. */
    OPENAI("openai");

    private final String key;
    private final Set<Capability> capabilities;

    Dialect(String key, Capability... capabilities) {
        this.key = key;
        this.capabilities = Set.of(capabilities);
    }

    public boolean can(Capability capability) {
        return capabilities.contains(capability);
    }

    /**
     * Refuses what the server cannot do.
     *
     * @param wanted what needs it, such as {@code "decoding: constrained"}
     * @param remedy what to do instead
     * @throws ServerException if the server cannot do it
     */
    void require(Capability capability, String wanted, String remedy) {
        if (!can(capability)) {
            throw new ServerException(
                    wanted
                            + " needs "
                            + capability
                            + ", which a server of dialect "
                            + key
                            + " does not give ("
                            + Arrays.stream(values())
                                    .filter(other -> other.can(capability))
                                    .map(other -> other.key)
                                    .collect(Collectors.joining(", "))
                            + " do): "
                            + remedy);
        }
    }
}
