package io.agentprm.lm.text;

import java.util.List;
import java.util.Optional;

/**
 * The ReAct-like format of the released AgentPRM code: {@code REASON:} and free text, then {@code
 * ACTION:} and one line. The label must start its line and occur once; the action is the first line
 * with text after it, and what follows is not looked at.
 */
final class LabelledReply implements ReplyFormat {
    private static final String REASON = "REASON:";
    private static final String ACTION = "ACTION:";

    @Override
    public String write(Optional<String> reason, String action) {
        return reason.map(r -> REASON + "\n" + r.strip() + "\n").orElse("")
                + ACTION
                + "\n"
                + action;
    }

    @Override
    public ParsedReply parse(String reply) {
        List<String> lines = reply.lines().map(String::strip).toList();
        long labels = lines.stream().filter(l -> l.startsWith(ACTION)).count();
        if (labels != 1) {
            return new ParsedReply.Rejected(
                    "expected one line that starts with " + ACTION + ", found " + labels);
        }
        int at = 0;
        while (!lines.get(at).startsWith(ACTION)) {
            at++;
        }
        String sameLine = lines.get(at).substring(ACTION.length()).strip();
        String action =
                !sameLine.isEmpty()
                        ? sameLine
                        : lines.stream()
                                .skip(at + 1L)
                                .filter(l -> !l.isEmpty())
                                .findFirst()
                                .orElse("");
        if (action.isEmpty()) {
            return new ParsedReply.Rejected("no action after " + ACTION);
        }
        String before = String.join("\n", lines.subList(0, at)).strip();
        String reason =
                before.startsWith(REASON) ? before.substring(REASON.length()).strip() : before;
        return new ParsedReply.Parsed(Optional.of(reason).filter(r -> !r.isEmpty()), action);
    }
}
