package io.agentprm.cli.check;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Passes UTF-8 bytes on to a writer line by line. */
final class LineStream extends OutputStream {
    private final PrintWriter out;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    private LineStream(PrintWriter out) {
        this.out = out;
    }

    static PrintStream to(PrintWriter out) {
        return new PrintStream(new LineStream(out), true, StandardCharsets.UTF_8);
    }

    @Override
    public void write(int b) {
        line.write(b);
        if (b == '\n') {
            out.print(line.toString(StandardCharsets.UTF_8));
            out.flush();
            line.reset();
        }
    }

    @Override
    public void close() {
        out.print(line.toString(StandardCharsets.UTF_8));
        out.flush();
        line.reset();
    }
}
