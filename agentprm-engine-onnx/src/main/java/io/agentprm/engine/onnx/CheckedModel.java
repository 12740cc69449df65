package io.agentprm.engine.onnx;

import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.lm.check.Subject;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.decode.ChannelPlan;
import io.agentprm.lm.decode.Conversations;
import io.agentprm.lm.decode.PackedRows;
import io.agentprm.lm.decode.Tokens;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/** The model under check. */
record CheckedModel(Network network, ModelConfig config) implements Subject {
    private static final int CACHE_BYTES = 1 << 26;
    private static final int[] NONE = {};

    /** Rows of different lengths go through the network without their padding. */
    @Override
    public float[][][] logits(List<int[]> rows) {
        Pass pass = new Pass(rows.size());
        Tokens tokens =
                new Tokens(1, rows.stream().mapToInt(row -> row.length).sum(), network.recall());
        for (int r = 0; r < rows.size(); r++) {
            tokens.put(0, pass.tokens(), rows.get(r), 0);
            pass.add(r, 0, NONE, 0, rows.get(r).length);
        }
        Questions all = Questions.logits(LongStream.range(0, pass.tokens()).toArray());
        try (PassingCaches caches =
                new PassingCaches(network.moves(), config, rows.size(), pass.width())) {
            float[] flat = network.run(pass, tokens.planes(), caches, all).of(DecoderGraph.LOGITS);
            float[][][] out = new float[rows.size()][][];
            int at = 0;
            for (int r = 0; r < out.length; r++) {
                out[r] = new float[rows.get(r).length][config.vocabSize()];
                for (float[] logits : out[r]) {
                    System.arraycopy(flat, at, logits, 0, logits.length);
                    at += logits.length;
                }
            }
            return out;
        }
    }

    @Override
    public float[] forward(PackedRows rows, ChannelPlan plan) {
        return new WholeRows(rows).channels(network, config, plan);
    }

    @Override
    public List<Generation> generate(List<GenerationRequest> requests, Set<Integer> stops) {
        try (KeyValueMemory memory = new KeyValueMemory(config, network.moves())) {
            Conversations conversations = new Conversations(memory, CACHE_BYTES);
            List<Conversations.Entry> caches =
                    conversations.open(Collections.nCopies(requests.size(), Optional.empty()));
            List<List<Generation>> replies = new ArrayList<>();
            new Continuations(
                            network,
                            conversations,
                            memory,
                            new Prompts(network, memory, CACHE_BYTES),
                            stops,
                            config.contextLength())
                    .run(requests, caches, replies);
            return replies.stream().map(list -> list.get(0)).toList();
        }
    }
}
