package io.agentprm.lm.text;

import java.util.List;
import java.util.Optional;

/**
 * One line that is the action. A leading {@code >} (the prompt's mark, which models repeat) is
 * dropped; anything else that is not one line is rejected.
 */
final class PlainReply implements ReplyFormat {
    @Override
    public String write(Optional<String> reason, String action) {
        return action;
    }

    @Override
    public ParsedReply parse(String reply) {
        List<String> lines = reply.lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
        if (lines.size() != 1) {
            return new ParsedReply.Rejected("expected one line, found " + lines.size());
        }
        String line = lines.get(0);
        String action = line.startsWith(">") ? line.substring(1).strip() : line;
        return action.isEmpty()
                ? new ParsedReply.Rejected("the line holds no action")
                : new ParsedReply.Parsed(Optional.empty(), action);
    }
}
