package io.agentprm.lm.agent;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.lm.checkpoint.Initialization;
import io.agentprm.lm.checkpoint.ModelConfig;
import java.util.List;

/** Shape of a new decoder of the Llama family. */
@Description("Shape of a new decoder of the Llama family.")
public record Architecture(
        @Description("Width of the residual stream.") @Default("128") int hidden,
        @Description("Number of layers.") @Default("4") int layers,
        @Description("Number of attention heads; must divide the width.") @Default("4") int heads,
        @Description("Width of the feed-forward part.") @Default("384") int intermediate,
        @Description("Longest sequence in tokens.") @Default("1024") int context,
        @Description("Base of the rotary frequencies.") @Default("10000.0") double ropeTheta,
        @Description(
                        "Adds an embedding of the previous token to each input, which spares small models a layer that"
                                + " learns to look one token back.")
                @Default("true")
                boolean previousTokenEmbedding,
        @Description(
                        "Adds an embedding of the word before this token's first occurrence, which spares small models"
                                + " the circuits that find out whether a word was in the task.")
                @Default("true")
                boolean recallEmbedding,
        @Description(
                        "How far back the recall embedding looks: everywhere, or in the task, which is what stands"
                                + " before the end of the first reply. The task, where pages are long and repeat"
                                + " words of their own.")
                @Default("everywhere")
                RecallScope recallScope,
        @Description(
                        "Adds an embedding of the token before the previous one to each input, which spares small"
                                + " models circuits that look for a repeated phrase, such as a place gone to before.")
                @Default("true")
                boolean secondPreviousTokenEmbedding,
        @Description(
                        "Random weights: fan-in (scaled to the width) or fixed (standard deviation 0.02).")
                @Default("fan-in")
                Initialization initialization) {
    private static final int MOST = 1 << 20;
    private static final int MOST_LAYERS = 1 << 10;

    /** Checks the ranges, so that a shape that cannot be made is found before a run. */
    public Architecture {
        within("hidden", hidden);
        require(
                layers >= 1 && layers <= MOST_LAYERS,
                "layers must lie between 1 and " + MOST_LAYERS + ", was " + layers);
        within("heads", heads);
        within("intermediate", intermediate);
        within("context", context);
        require(
                hidden % (2 * heads) == 0,
                "heads must divide hidden into heads of an even width; "
                        + hidden
                        + " / "
                        + heads
                        + " is "
                        + (double) hidden / heads);
        require(
                (long) hidden * Math.max(hidden, intermediate) <= Integer.MAX_VALUE,
                "hidden is too large: hidden times hidden or intermediate must stay below 2^31,"
                        + " the largest size of one tensor");
        require(
                ropeTheta > 0 && ropeTheta <= Double.MAX_VALUE,
                "rope-theta must be above 0, was " + ropeTheta);
    }

    private static void within(String key, int value) {
        require(
                value >= 1 && value <= MOST,
                key + " must lie between 1 and " + MOST + ", was " + value);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Where the recall embedding looks for a word. */
    public enum RecallScope {
        EVERYWHERE,
        TASK
    }

    ModelConfig config(int vocabulary, int beginOfSequence, int endOfTurn, int padding) {
        ModelConfig.Builder config = ModelConfig.builder();
        if (recallEmbedding && recallScope == RecallScope.TASK) {
            config.recallUntil(endOfTurn);
        }
        return config.vocabSize(vocabulary)
                .hiddenSize(hidden)
                .layers(layers)
                .heads(heads)
                .intermediateSize(intermediate)
                .contextLength(context)
                .ropeTheta(ropeTheta)
                .tiedEmbeddings(true)
                .previousTokenEmbedding(previousTokenEmbedding)
                .recallEmbedding(recallEmbedding)
                .secondPreviousTokenEmbedding(secondPreviousTokenEmbedding)
                .bosTokenId(beginOfSequence)
                .padTokenId(padding)
                .eosTokenIds(List.of(endOfTurn))
                .build();
    }
}
