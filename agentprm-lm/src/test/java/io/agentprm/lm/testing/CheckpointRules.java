package io.agentprm.lm.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.lm.testing.TinyCheckpoint.Stored;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which published checkpoints every engine reads: families, element types, one file or shards, both
 * generations of config.json. A test of an engine says how to open it.
 */
public abstract class CheckpointRules {
    private static final Channel LOG_PROBABILITY = Channel.logProb(1);
    private static final int[] TOKENS =
            new Random(4).ints(48, 3, PublishedStyle.VOCABULARY).toArray();

    @TempDir private Path dir;

    /** A new engine that computes with 32-bit floats and one thread. */
    protected abstract InferenceEngine open();

    @ParameterizedTest
    @EnumSource(PublishedStyle.class)
    final void aFamilyComputesWhatItsEquationsSay(PublishedStyle style) {
        TinyCheckpoint checkpoint = TinyCheckpoint.of(style);
        Path model = checkpoint.write(dir.resolve("m"), Stored.F32, 1, false);
        assertArrayEquals(
                new ReferenceDecoder(checkpoint).logProbabilities(TOKENS), computed(model), 2e-4);
    }

    @ParameterizedTest
    @EnumSource(PublishedStyle.class)
    final void bothGenerationsOfTheConfigurationAreTheSameModel(PublishedStyle style) {
        TinyCheckpoint checkpoint = TinyCheckpoint.of(style);
        Path classic = checkpoint.write(dir.resolve("classic"), Stored.BF16, 1, false);
        Path current = checkpoint.write(dir.resolve("new"), Stored.BF16, 1, true);
        assertArrayEquals(computed(classic), computed(current), 0);
    }

    @ParameterizedTest
    @EnumSource(Stored.class)
    final void elementTypesAndShardsHoldTheSameWeights(Stored type) {
        TinyCheckpoint checkpoint = TinyCheckpoint.of(PublishedStyle.QWEN_2);
        double[] whole = computed(checkpoint.write(dir.resolve("w"), Stored.F32, 1, false));
        assertArrayEquals(whole, computed(checkpoint.write(dir.resolve("one"), type, 1, false)), 0);
        assertArrayEquals(
                whole, computed(checkpoint.write(dir.resolve("three"), type, 3, false)), 0);
    }

    @Test
    final void aTiedModelUsesItsEmbeddingThoughAHeadIsStored() {
        TinyCheckpoint plain = TinyCheckpoint.of(PublishedStyle.LLAMA_3);
        TinyCheckpoint stray = TinyCheckpoint.of(PublishedStyle.LLAMA_3).withStrayHead();
        assertArrayEquals(
                computed(plain.write(dir.resolve("p"), Stored.BF16, 1, false)),
                computed(stray.write(dir.resolve("s"), Stored.BF16, 2, false)),
                0);
    }

    private double[] computed(Path directory) {
        boolean[] targets = new boolean[TOKENS.length];
        Arrays.fill(targets, 1, targets.length, true);
        TokenTree row = TokenTree.trunk(TokenSegment.of(TOKENS, targets, new int[0]));
        try (LanguageModel model = open().load(directory)) {
            return model.evaluate(List.of(row), Set.of(LOG_PROBABILITY)).at(LOG_PROBABILITY, 0, 0);
        }
    }
}
