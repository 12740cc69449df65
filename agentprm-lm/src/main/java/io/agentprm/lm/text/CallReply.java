package io.agentprm.lm.text;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A call in words: {@code click[red]} is written {@code click red}, so that the argument is spelled
 * with the tokens that it has in a text, where a blank goes before it. A reply of one word is the
 * action as it stands.
 */
final class CallReply implements ReplyFormat {
    private static final Pattern CALL = Pattern.compile("(\\w+)\\[(.+)]");
    private static final Pattern WORDS = Pattern.compile("(\\w+) (.+)");

    private final ReplyFormat line = new PlainReply();

    @Override
    public String write(Optional<String> reason, String action) {
        Matcher call = CALL.matcher(action);
        return call.matches() ? call.group(1) + " " + call.group(2) : action;
    }

    @Override
    public ParsedReply parse(String reply) {
        ParsedReply parsed = line.parse(reply);
        if (!(parsed instanceof ParsedReply.Parsed one)) {
            return parsed;
        }
        Matcher words = WORDS.matcher(one.action());
        return words.matches()
                ? new ParsedReply.Parsed(
                        Optional.empty(), words.group(1) + "[" + words.group(2) + "]")
                : parsed;
    }
}
