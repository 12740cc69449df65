package io.agentprm.core.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DemoReportTest {
    /** Leaves {@code target/report-demo.html} to be looked at in a browser. */
    @Test
    void demoCanBeOpenedInABrowser() {
        Path file = Path.of("target", "report-demo.html");
        HtmlReport.write(DemoReport.create(), file);
        assertTrue(Files.exists(file));
    }
}
