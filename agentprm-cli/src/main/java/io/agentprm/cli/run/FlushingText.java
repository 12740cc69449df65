package io.agentprm.cli.run;

import java.io.PrintWriter;

/** Shows every piece of text at once, which a rewritten line needs. */
record FlushingText(PrintWriter out) implements Appendable {
    @Override
    public Appendable append(CharSequence text) {
        out.append(text);
        out.flush();
        return this;
    }

    @Override
    public Appendable append(CharSequence text, int start, int end) {
        return append(text.subSequence(start, end));
    }

    @Override
    public Appendable append(char c) {
        return append(String.valueOf(c));
    }
}
