package io.agentprm.lm.text;

import io.agentprm.api.lm.RenderedSegment;
import io.agentprm.api.lm.Tokenizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Where tokens that are kept part from those that their text is encoded to. */
final class Drift {
    private static final int SHOWN = 6;

    private Drift() {}

    /** The first place, in words. */
    static Optional<String> between(RenderedSegment kept, int[] encoded, Tokenizer tokenizer) {
        int at = Arrays.mismatch(kept.tokens(), encoded);
        if (at < 0) {
            return Optional.empty();
        }
        int turn =
                kept.replies().stream()
                        .filter(reply -> at < reply.end())
                        .mapToInt(RenderedSegment.Reply::turn)
                        .findFirst()
                        .orElseThrow();
        return Optional.of(
                String.format(
                        Locale.ROOT,
                        "the tokens differ from those of the chat template's text of the whole,"
                                + " first at position %d, in turn %d: kept %s, encoded %s. Sampled"
                                + " tokens are kept as they were",
                        at,
                        turn,
                        words(kept.tokens(), at, tokenizer),
                        words(encoded, at, tokenizer)));
    }

    private static String words(int[] tokens, int from, Tokenizer tokenizer) {
        int[] some = Arrays.copyOfRange(tokens, from, Math.min(tokens.length, from + SHOWN));
        return Arrays.toString(some) + " '" + tokenizer.decode(some).replace("\n", "\\n") + "'";
    }
}
