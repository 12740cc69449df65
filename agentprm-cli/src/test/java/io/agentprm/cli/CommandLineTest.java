package io.agentprm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.run.CancelledException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class CommandLineTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Command(name = "fails")
    static final class Fails implements Runnable {
        private final Throwable error;

        Fails(Throwable error) {
            this.error = error;
        }

        @Override
        public void run() {
            if (error instanceof Error e) {
                throw e;
            }
            throw (RuntimeException) error;
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

    @Test
    void anErrorOfTheMachineIsOneLineWithARemedy() {
        assertEquals(3, run(failing(new OutOfMemoryError("Java heap space")), "fails"));
        assertTrue(err.toString().contains("AGENTPRM_JAVA_OPTS=-Xmx"), err.toString());
        assertEquals(1, err.toString().lines().count());
        assertEquals(3, run(failing(new StackOverflowError("deep")), "fails"));
        assertEquals(2, err.toString().lines().count());
    }

    @Test
    void aHookThatComesTooLateMeansStopped() {
        assertEquals(
                130,
                run(
                        failing(
                                new RuntimeException(
                                        new IllegalStateException("Shutdown in progress"))),
                        "fails"));
    }

    @Test
    void everyCommandShowsItsUsage() {
        showUsage(AgentPrm.commandLine(), List.of());
        assertTrue(out.toString().contains("agentprm check alfworld"), out.toString());
        assertEquals("", err.toString());
    }

    private void showUsage(CommandLine command, List<String> path) {
        for (var below : command.getSubcommands().entrySet()) {
            List<String> names = new ArrayList<>(path);
            names.add(below.getKey());
            for (String option : List.of("--help", "-h")) {
                List<String> arguments = new ArrayList<>(names);
                arguments.add(option);
                assertEquals(
                        0,
                        run(AgentPrm.commandLine(), arguments.toArray(String[]::new)),
                        arguments.toString());
            }
            showUsage(below.getValue(), names);
        }
    }

    private static CommandLine failing(Throwable error) {
        CommandLine line = AgentPrm.commandLine();
        line.addSubcommand(new Fails(error));
        // Handlers of the root reach only the subcommands that existed when they were set.
        line.setExecutionExceptionHandler(line.getExecutionExceptionHandler());
        return line;
    }

    private int run(CommandLine line, String... arguments) {
        return AgentPrm.execute(
                line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)),
                arguments);
    }
}
