package io.agentprm.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The NVIDIA driver; whether the engine can use it is the engine's own finding. */
final class GpuProbe implements Probe {
    private final Path driver;

    GpuProbe(Path driver) {
        this.driver = driver;
    }

    @Override
    public List<Finding> look() {
        if (!Files.exists(driver)) {
            return List.of(Finding.ok("gpu", "none; models run on the processor"));
        }
        try {
            String line = Files.readAllLines(driver).stream().findFirst().orElse("");
            return List.of(Finding.ok("gpu", line.replaceAll("\\s+", " ").strip()));
        } catch (IOException e) {
            return List.of(Finding.note("gpu", "driver version unknown: " + e.getMessage()));
        }
    }
}
