package io.agentprm.cli.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class LineStreamTest {
    @Test
    void textPassesUnchangedWhateverItsBytes() {
        StringWriter text = new StringWriter();
        try (PrintStream out = LineStream.to(new PrintWriter(text))) {
            out.print("a → b\nüber");
            out.print("all\nlast");
        }
        assertEquals("a → b\nüberall\nlast", text.toString());
    }
}
