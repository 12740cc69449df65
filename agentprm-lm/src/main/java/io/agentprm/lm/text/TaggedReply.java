package io.agentprm.lm.text;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The action between an opening tag and the closing tag that follows it. A closing tag without an
 * opening one is text; two pairs are ambiguous and rejected.
 */
final class TaggedReply implements ReplyFormat {
    private static final String OPEN = "<action>";
    private static final String CLOSE = "</action>";
    private final Pattern pair = Pattern.compile("<action>([^<]*)</action>");

    @Override
    public String write(Optional<String> reason, String action) {
        return reason.map(r -> r.strip() + "\n").orElse("") + OPEN + action + CLOSE;
    }

    @Override
    public ParsedReply parse(String reply) {
        Matcher matcher = pair.matcher(reply);
        if (!matcher.find()) {
            return new ParsedReply.Rejected("no " + OPEN + " … " + CLOSE);
        }
        String action = matcher.group(1).strip();
        String reason = reply.substring(0, matcher.start()).strip();
        if (matcher.find()) {
            return new ParsedReply.Rejected("more than one " + OPEN + " … " + CLOSE);
        }
        if (action.isEmpty() || action.contains("\n")) {
            return new ParsedReply.Rejected("the action must be one line, was '" + action + "'");
        }
        return new ParsedReply.Parsed(Optional.of(reason).filter(r -> !r.isEmpty()), action);
    }
}
