package io.agentprm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.run.CancelledException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class CommandLineTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Command(name = "fails")
    static final class Fails implements Runnable {
        private final RuntimeException error;

        Fails(RuntimeException error) {
            this.error = error;
        }

        @Override
        public void run() {
            throw error;
        }
    }

    static final class BadConfiguration extends AgentPrmException {
        private static final long serialVersionUID = 1L;

        BadConfiguration() {
            super("run.yaml, line 3: unknown key 'betta'; did you mean 'beta'?");
        }
    }

    @Test
    void versionIsPrinted() {
        assertEquals(0, run(AgentPrm.commandLine(), "version"));
        assertTrue(out.toString().startsWith("agentprm "));
    }

    @Test
    void unknownCommandIsAUsageErrorOfOneMessage() {
        assertEquals(2, run(AgentPrm.commandLine(), "runn"));
        assertTrue(err.toString().startsWith("agentprm: Unmatched argument at index 0: 'runn'"));
        assertEquals("", out.toString());
    }

    @Test
    void wrongConfigurationIsOneLineAndCodeTwo() {
        assertEquals(2, run(failing(new BadConfiguration()), "fails"));
        assertEquals(
                "agentprm: run.yaml, line 3: unknown key 'betta'; did you mean 'beta'?\n",
                err.toString().replace("\r", ""));
    }

    @Test
    void debugShowsTheStackTrace() {
        assertEquals(2, run(failing(new BadConfiguration()), "--debug", "fails"));
        assertTrue(err.toString().contains("\tat "));
    }

    @Test
    void defectIsToldFromAWrongConfiguration() {
        assertEquals(3, run(failing(new ArithmeticException("/ by zero")), "fails"));
        assertTrue(err.toString().contains("ArithmeticException"));
        assertFalse(err.toString().contains("\tat "));
    }

    @Test
    void stoppedRunSaysHowToGoOn() {
        assertEquals(130, run(failing(new CancelledException("stop")), "fails"));
        assertTrue(err.toString().contains("the same command continues"));
    }

    private static CommandLine failing(RuntimeException error) {
        CommandLine line = AgentPrm.commandLine();
        line.addSubcommand(new Fails(error));
        // Handlers of the root reach only the subcommands that existed when they were set.
        line.setExecutionExceptionHandler(line.getExecutionExceptionHandler());
        return line;
    }

    private int run(CommandLine line, String... arguments) {
        return line.setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
