package io.agentprm.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What Linux tells about the processor.
 *
 * @param features those that matrix products use
 */
record CpuInfo(String model, List<String> features) {
    private static final List<String> RELEVANT =
            List.of(
                    "avx",
                    "avx2",
                    "fma",
                    "avx512f",
                    "avx512_vnni",
                    "avx512_bf16",
                    "amx_tile",
                    "amx_bf16",
                    "asimd",
                    "bf16",
                    "sve");

    /** Empty where there is no such file (not Linux). */
    static Optional<CpuInfo> read(Path file) {
        try {
            String model = "";
            Set<String> flags = new HashSet<>();
            for (String line : Files.readAllLines(file)) {
                int colon = line.indexOf(':');
                String key = colon < 0 ? "" : line.substring(0, colon).strip();
                String value = line.substring(colon + 1).strip();
                if (key.equals("model name")) {
                    model = value;
                } else if (key.equals("flags") || key.equals("Features")) {
                    flags.addAll(Arrays.asList(value.split(" ")));
                }
            }
            List<String> found = RELEVANT.stream().filter(flags::contains).toList();
            return Optional.of(
                    new CpuInfo(model.isEmpty() ? System.getProperty("os.arch") : model, found));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
