package io.agentprm.core.pipeline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.IoReasons;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.core.RunException;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Reports of optimisations as JSON: number of steps, and the figures that are finite. */
final class ReportFiles {
    /** Usual name of the file. */
    static final String NAME = "report.json";

    private ReportFiles() {}

    static void write(Path file, OptimizationReport report) {
        ObjectNode json = Json.mapper().createObjectNode();
        json.put("steps", report.steps());
        ObjectNode figures = json.putObject("figures");
        report.summary()
                .forEach(
                        (name, value) -> {
                            if (Double.isFinite(value)) {
                                figures.put(name, value);
                            }
                        });
        try {
            DurableFiles.standard()
                    .write(
                            file,
                            Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(json)
                                    + "\n");
        } catch (JsonProcessingException e) {
            throw new RunException(file + ": cannot be written as JSON", e);
        }
    }

    static OptimizationReport read(Path file) {
        try {
            JsonNode json = Json.mapper().readTree(Files.readString(file));
            Map<String, Double> figures = new TreeMap<>();
            json.path("figures")
                    .properties()
                    .forEach(entry -> figures.put(entry.getKey(), entry.getValue().asDouble()));
            return new OptimizationReport(json.path("steps").asLong(), figures);
        } catch (IOException e) {
            throw new RunException(file + ": cannot be read: " + IoReasons.of(e), e);
        }
    }
}
