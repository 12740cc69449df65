package io.agentprm.core.context;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.IoReasons;
import io.agentprm.api.run.Metrics;
import io.agentprm.core.RunException;
import io.agentprm.core.json.Fields;
import io.agentprm.core.json.Json;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Metrics as JSON Lines: {@code {"name":"dpo.kl","step":10,"value":0.02}}. A value that is not
 * finite becomes null with a {@code status}. Carries no time, so that equal runs write equal bytes.
 * Thread-safe.
 */
public final class JsonLinesMetrics implements Metrics, AutoCloseable {
    /** Usual name of the file. */
    public static final String FILE = "metrics.jsonl";

    /**
     * One point of a series.
     *
     * @param value empty if it was not finite
     */
    public record Point(String name, long step, OptionalDouble value) {}

    private final ObjectMapper mapper = Json.mapper();
    private final Path file;
    private BufferedWriter writer;

    /** Starts an empty file. */
    public JsonLinesMetrics(Path file) {
        this.file = file;
        this.writer = open(file);
    }

    /** Points of a file in the order they were recorded. */
    public static List<Point> read(Path file) {
        ObjectMapper mapper = Json.mapper();
        List<Point> points = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
                Fields fields = Fields.of(mapper.readTree(line), "");
                points.add(
                        new Point(
                                fields.text("name"),
                                (long) fields.number("step"),
                                fields.optionalNumber("value")));
            }
        } catch (IOException | RunException e) {
            throw new RunException(
                    file + ":" + (points.size() + 1) + ": is corrupt: " + e.getMessage(), e);
        }
        return points;
    }

    @Override
    public synchronized void record(String name, long step, double value) {
        ObjectNode node = mapper.createObjectNode().put("name", name).put("step", step);
        if (Double.isFinite(value)) {
            node.put("value", value);
        } else {
            node.putNull("value").put("status", Double.toString(value));
        }
        try {
            writer.write(mapper.writeValueAsString(node));
            writer.write('\n');
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /** Writes everything recorded so far into another file. */
    synchronized void copyTo(Path copy) {
        try {
            writer.flush();
            Files.copy(file, copy);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /** Forgets everything recorded, and goes on after what another file holds. */
    synchronized void resumeFrom(Path copy) {
        try {
            writer.close();
            Files.copy(copy, file, StandardCopyOption.REPLACE_EXISTING);
            writer =
                    Files.newBufferedWriter(
                            file, StandardCharsets.UTF_8, java.nio.file.StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            writer.close();
        } catch (IOException e) {
            throw broken(e);
        }
    }

    private static BufferedWriter open(Path file) {
        try {
            return Files.newBufferedWriter(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new RunException(file + ": metrics cannot be written: " + IoReasons.of(e), e);
        }
    }

    private RunException broken(IOException e) {
        return new RunException(file + ": metrics cannot be written: " + IoReasons.of(e), e);
    }
}
