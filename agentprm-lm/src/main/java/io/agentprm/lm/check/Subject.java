package io.agentprm.lm.check;

import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.lm.decode.ChannelPlan;
import io.agentprm.lm.decode.PackedRows;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A model under check, as an engine computes it: through the paths that its users take. */
public interface Subject {
    /**
     * Logits of rows that go through the network together.
     *
     * @return [rows, tokens of the row, vocabulary]
     */
    float[][][] logits(List<int[]> rows);

    /** The channels of a plan as one vector, in the plan's order. */
    float[] forward(PackedRows rows, ChannelPlan plan);

    /**
     * Continues all prompts in one batch, with key-value caches.
     *
     * @param stops ids that end a reply
     */
    List<Generation> generate(List<GenerationRequest> requests, Set<Integer> stops);

    /**
     * Embeddings, outputs of the layers, the last one normalised: [layers + 1, length, hidden];
     * empty where the engine does not show them.
     */
    default Optional<float[]> states(int[] row) {
        return Optional.empty();
    }
}
