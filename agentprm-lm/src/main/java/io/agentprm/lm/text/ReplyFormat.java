package io.agentprm.lm.text;

import io.agentprm.api.env.Action;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.SampledTokens;
import java.util.Optional;

/** How a reason and an action are written as a reply, and read again. Thread-safe. */
public interface ReplyFormat extends ReplyParser {
    /** The reply for an action and an optional reason. */
    String write(Optional<String> reason, String action);

    /** The action alone on one line; a reason is left out. */
    static ReplyFormat plain() {
        return new PlainReply();
    }

    /**
     * A call in words, for environments whose actions are all of the form {@code name[argument]}:
     * {@code click[red]} is written {@code click red}; a reason is left out.
     */
    static ReplyFormat call() {
        return new CallReply();
    }

    /** The labels {@code REASON:} (optional) and {@code ACTION:}, each on a line of its own. */
    static ReplyFormat labelled() {
        return new LabelledReply();
    }

    /** The action between {@code <action>} and {@code </action>}, a reason before it. */
    static ReplyFormat tagged() {
        return new TaggedReply();
    }

    /**
     * The text of a decision's reply: as it was written, or, where only action and reason are known
     * (a demonstration), in this format.
     */
    default String text(Decision decision) {
        boolean actionOnly = decision.text().equals(decision.action().text());
        return actionOnly && decision.parseFailure().isEmpty()
                ? write(decision.reason(), decision.action().text())
                : decision.text();
    }

    /**
     * The decision that a sampled reply is. A reply that cannot be parsed gives the empty action
     * and says why; its text and tokens are kept.
     *
     * @param reply the reply's text without end-of-turn mark
     */
    default Decision decision(String reply, Optional<SampledTokens> tokens) {
        ParsedReply result = parse(reply);
        Decision.Builder builder;
        if (result instanceof ParsedReply.Parsed parsed) {
            builder = Decision.builder(Action.text(parsed.action())).text(reply);
            parsed.reason().ifPresent(builder::reason);
        } else {
            String why = ((ParsedReply.Rejected) result).why();
            builder = Decision.builder(Action.text("")).text(reply).parseFailure(why);
        }
        tokens.ifPresent(builder::tokens);
        return builder.build();
    }

    /** The decision that a reply is which was cut at its length limit: it has no action. */
    default Decision unfinished(String reply, SampledTokens tokens) {
        return Decision.builder(Action.text(""))
                .text(reply)
                .tokens(tokens)
                .parseFailure("the reply did not end within " + tokens.length() + " tokens")
                .build();
    }
}
