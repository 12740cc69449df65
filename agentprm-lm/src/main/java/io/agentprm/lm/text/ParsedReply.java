package io.agentprm.lm.text;

import java.util.Optional;

/** What a parser made of a reply: an action, or why there is none. */
public sealed interface ParsedReply {

    /**
     * A well-formed reply.
     *
     * @param reason the reason given, if any
     * @param action the action, one line, without blanks around it
     */
    record Parsed(Optional<String> reason, String action) implements ParsedReply {}

    /**
     * No action can be taken from the reply.
     *
     * @param why what is wrong with it, for people
     */
    record Rejected(String why) implements ParsedReply {}
}
