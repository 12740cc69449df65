package io.agentprm.lm.text;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import java.util.List;

/**
 * A compact template without roles, for small models: the instruction, the first observation, then
 * in turn the mark, the reply, its end-of-turn token and the next observation.
 *
 * <pre>{@code
 * Your task is to: put a mug in desk.
 * You are in the middle of a room. ...>go to desk 1<end>You arrive at desk 1. ...>
 * }</pre>
 *
 * @param instruction when the instruction is written out
 * @param instructionPrefix before the instruction
 * @param mark before every reply
 * @param admissibleActions whether each observation is followed by its admissible actions
 * @param lowerCase whether instruction and observations are written in lower case, after the
 *     replacements
 * @param rewrites replacements in observations, in order
 */
@Description(
        "Plain transcript for small models: instruction, then observations and replies in turn.")
public record PlainTemplate(
        @Description(
                        "When the instruction is written out: always, never, or unless-observed (not"
                                + " where the first observation contains it).")
                @Default("unless-observed")
                InstructionUse instruction,
        @Description("Text before the instruction.") @Default("\"Your task is to: \"")
                String instructionPrefix,
        @Description("Text before every reply.") @Default("\">\"") String mark,
        @Description("Whether each observation is followed by the list of its admissible actions.")
                @Default("false")
                boolean admissibleActions,
        @Description(
                        "Write instruction and observations in lower case, so that a small model has one"
                                + " token for a word.")
                @Default("false")
                boolean lowerCase,
        @Description("Replacements in the text of observations, applied in order.")
                List<Rewrite> rewrites) {

    /** When the instruction is written out at the start of a segment. */
    public enum InstructionUse {
        ALWAYS,
        NEVER,
        /** Not where the episode's first observation is there and contains it. */
        UNLESS_OBSERVED
    }

    public PlainTemplate {
        rewrites = List.copyOf(rewrites);
    }

    /** The defaults. */
    public static PlainTemplate standard() {
        return new PlainTemplate(
                InstructionUse.UNLESS_OBSERVED, "Your task is to: ", ">", false, false, List.of());
    }

    /** The same template with admissible actions after each observation, or without. */
    public PlainTemplate withAdmissibleActions(boolean value) {
        return new PlainTemplate(instruction, instructionPrefix, mark, value, lowerCase, rewrites);
    }

    /** The same template with another mark before replies. */
    public PlainTemplate withMark(String value) {
        return new PlainTemplate(
                instruction, instructionPrefix, value, admissibleActions, lowerCase, rewrites);
    }

    /** The same template with instruction and observations in lower case, or as they are. */
    public PlainTemplate withLowerCase(boolean value) {
        return new PlainTemplate(
                instruction, instructionPrefix, mark, admissibleActions, value, rewrites);
    }

    /** The same template with other replacements. */
    public PlainTemplate withRewrites(List<Rewrite> value) {
        return new PlainTemplate(
                instruction, instructionPrefix, mark, admissibleActions, lowerCase, value);
    }

    /**
     * @throws io.agentprm.lm.LanguageModelException if a pattern is not a regular expression
     */
    public PromptTemplate compile() {
        return new PlainPrompt(this);
    }
}
