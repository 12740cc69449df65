package io.agentprm.bench.model;

import io.agentprm.bench.measure.BenchmarkException;
import io.agentprm.bench.measure.Timing;
import io.agentprm.engine.djl.Precision;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A running {@link Worker} or its peer: idle, so without a share in the machine, until asked. */
final class WorkerProcess implements AutoCloseable {
    private final String name;
    private final Process process;
    private final Writer in;
    private final BufferedReader out;

    private WorkerProcess(String name, List<String> command, Map<String, String> environment) {
        this.name = name;
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new BenchmarkException(name + " can't be started (" + e.getMessage() + ")", e);
        }
        in = process.outputWriter(StandardCharsets.UTF_8);
        out = process.inputReader(StandardCharsets.UTF_8);
    }

    /** This project's engine in a new JVM. */
    static WorkerProcess java(
            ModelShape shape, Precision precision, int threads, Map<String, String> environment) {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Dai.djl.offline=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Worker.class.getName(),
                        shape.name(),
                        precision.name(),
                        Integer.toString(threads));
        return new WorkerProcess("the engine", command, environment);
    }

    /**
     * Plain PyTorch.
     *
     * @param python an interpreter that has torch
     * @param script {@code train_throughput.py}
     */
    static WorkerProcess python(
            String python,
            Path script,
            ModelShape shape,
            int threads,
            Map<String, String> environment) {
        List<String> command = new ArrayList<>(List.of(python, script.toString()));
        command.addAll(shape.arguments());
        command.add(Integer.toString(threads));
        return new WorkerProcess(python + " " + script, command, environment);
    }

    /** Does one piece of work, {@code step} or {@code product}. */
    Timing ask(String work) {
        try {
            in.write(work + "\n");
            in.flush();
            String answer = out.readLine();
            if (answer == null) {
                throw new BenchmarkException(name + " ended early; see its messages above");
            }
            String[] parts = answer.split(" ");
            return new Timing(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]));
        } catch (IOException | NumberFormatException e) {
            throw new BenchmarkException(
                    name + " gave no answer (" + e.getMessage() + "); see its messages above", e);
        }
    }

    /** The process ends when it has nothing more to read. */
    @Override
    public void close() {
        try {
            in.close();
            out.close();
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
