package io.agentprm.lm.agent;

import io.agentprm.lm.text.ReplyFormat;

/** How an action and its reason are written. */
public enum Reply {
    /** The action alone, on one line. */
    PLAIN(ReplyFormat.plain()),
    /** A call in words, {@code click red} for {@code click[red]}. */
    CALL(ReplyFormat.call()),
    /** {@code REASON:} and {@code ACTION:} labels. */
    LABELLED(ReplyFormat.labelled()),
    /** The action between {@code <action>} tags. */
    TAGGED(ReplyFormat.tagged());

    private final ReplyFormat format;

    Reply(ReplyFormat format) {
        this.format = format;
    }

    /** The format itself. */
    public ReplyFormat format() {
        return format;
    }
}
