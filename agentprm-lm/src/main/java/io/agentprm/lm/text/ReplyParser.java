package io.agentprm.lm.text;

import java.util.List;
import java.util.Set;

/**
 * Finds the action in a reply. A parser takes what is marked as the action and nothing else: where
 * the marking is missing or ambiguous it rejects the reply, it never guesses an action from free
 * text.
 */
@FunctionalInterface
public interface ReplyParser {
    ParsedReply parse(String reply);

    /** The same parser, which also rejects actions that are not in the list. */
    default ReplyParser within(List<String> admissible) {
        Set<String> allowed = Set.copyOf(admissible);
        return reply -> {
            ParsedReply result = parse(reply);
            return result instanceof ParsedReply.Parsed parsed && !allowed.contains(parsed.action())
                    ? new ParsedReply.Rejected("not admissible: " + parsed.action())
                    : result;
        };
    }
}
