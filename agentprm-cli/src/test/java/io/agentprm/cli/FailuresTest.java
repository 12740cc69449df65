package io.agentprm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** What is said of an error that nobody foresaw. */
class FailuresTest {
    private static String reported(Throwable error) {
        StringWriter said = new StringWriter();
        assertEquals(ExitCode.DEFECT, Failures.report(error, new PrintWriter(said, true), false));
        return said.toString();
    }

    @Test
    void anErrorThatCameFromAPluginNamesItAndTheLine() {
        IllegalStateException error = new IllegalStateException("shut");
        StackTraceElement[] ours = error.getStackTrace();
        assertFalse(reported(error).contains("in the plugin"));
        error.setStackTrace(
                new StackTraceElement[] {
                    ours[0],
                    new StackTraceElement(
                            "/plugins/maze.jar", "", "", "maze.Maze", "close", "Maze.java", 7)
                });
        String said = reported(new IllegalArgumentException("outer", error));
        assertTrue(
                said.contains("in the plugin /plugins/maze.jar at maze.Maze.close (Maze.java:7)"),
                said);
    }
}
