package io.agentprm.engine.djl;

import io.agentprm.lm.NvidiaDriver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** What the engine needs for a GPU, beside what this machine has of it. */
final class CudaNeeds {
    /** The CUDA build that the JNI library of this DJL is made for. */
    static final String FLAVOR = "cu128";

    private static final String CUDA_LIBRARY = "libtorch_cuda.so";

    private final String expected;
    private final Map<String, String> environment;
    private final Path driver;

    /**
     * @param expected version of libtorch
     * @param environment the process's variables
     * @param driver where the NVIDIA driver tells its version
     */
    CudaNeeds(String expected, Map<String, String> environment, Path driver) {
        this.expected = expected;
        this.environment = environment;
        this.driver = driver;
    }

    /**
     * Expected and found, one after the other.
     *
     * @param loaded version of the libtorch that runs
     */
    String describe(String loaded) {
        return "expected: an NVIDIA driver for CUDA 12.8 or newer, found: "
                + NvidiaDriver.describe(driver)
                + "; expected: libtorch "
                + expected
                + "+"
                + FLAVOR
                + ", found: "
                + loaded
                + library()
                + "; expected: "
                + variable("PYTORCH_VERSION", expected)
                + "; expected: "
                + variable("PYTORCH_FLAVOR", FLAVOR);
    }

    private String library() {
        Optional<Path> own =
                Optional.ofNullable(environment.get("PYTORCH_LIBRARY_PATH")).map(Path::of);
        if (own.isEmpty()) {
            return " for the processor (PYTORCH_LIBRARY_PATH is not set)";
        }
        return Files.exists(own.get().resolve(CUDA_LIBRARY))
                ? " with " + CUDA_LIBRARY + " in " + own.get()
                : " for the processor (PYTORCH_LIBRARY_PATH "
                        + own.get()
                        + " has no "
                        + CUDA_LIBRARY
                        + ")";
    }

    private String variable(String name, String value) {
        return name
                + "="
                + value
                + ", found: "
                + Optional.ofNullable(environment.get(name)).orElse("not set");
    }
}
