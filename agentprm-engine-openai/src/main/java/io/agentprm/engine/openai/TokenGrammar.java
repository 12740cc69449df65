package io.agentprm.engine.openai;

import io.agentprm.api.lm.TokenConstraint;
import io.agentprm.api.trajectory.SampledTokens;
import java.util.Arrays;

/**
 * Constraints as grammars of llama.cpp (GBNF), in which {@code <[7]>} is the token 7. The end of
 * turn is not written: where a grammar is at its end, the server allows the tokens that end a text,
 * and nothing else.
 */
final class TokenGrammar {
    /** Allows nothing but the end. */
    static final String END = "root ::= \"\"";

    private TokenGrammar() {}

    /**
     * The grammar of all allowed replies.
     *
     * @throws ServerException if they are too many
     */
    static String of(TokenConstraint constraint, int endOfTurn) {
        ConstrainedDraw.replies(constraint);
        StringBuilder out = new StringBuilder("root ::= ");
        write(constraint.start(), endOfTurn, out);
        return out.toString();
    }

    private static void write(TokenConstraint.State state, int endOfTurn, StringBuilder out) {
        int[] allowed = state.allowed();
        if (allowed.length == 0) {
            out.append("\"\"");
            return;
        }
        boolean fork = allowed.length > 1;
        String before = fork ? "(" : "";
        for (int id : allowed) {
            out.append(before);
            before = " | ";
            if (id == endOfTurn) {
                out.append("\"\"");
            } else {
                out.append("<[").append(id).append("]> ");
                write(state.next(id), endOfTurn, out);
            }
        }
        out.append(fork ? ")" : "");
    }

    /**
     * What the constraint allows of a reply: without an end where the constraint has none, and with
     * the end of turn for any other end that the model has, whose log-probability is then missing.
     *
     * @throws ServerException if the server did not keep to the constraint
     */
    static SampledTokens kept(SampledTokens sampled, TokenConstraint constraint, int endOfTurn) {
        int[] ids = sampled.ids();
        double[] logProbs = sampled.logProbs();
        TokenConstraint.State state = constraint.start();
        int length = 0;
        while (length < ids.length && state.allowed().length > 0) {
            if (!allows(state, ids[length])) {
                if (length < ids.length - 1 || !allows(state, endOfTurn)) {
                    throw new ServerException(
                            "the server gave token "
                                    + ids[length]
                                    + " where it was not allowed; it is too old for grammars of"
                                    + " token ids, use decoding: free");
                }
                ids[length] = endOfTurn;
                logProbs[length] = Double.NaN;
            }
            state = state.next(ids[length++]);
        }
        return SampledTokens.of(
                Arrays.copyOf(ids, length), Arrays.copyOf(logProbs, length), sampled.temperature());
    }

    private static boolean allows(TokenConstraint.State state, int id) {
        return Arrays.binarySearch(state.allowed(), id) >= 0;
    }
}
