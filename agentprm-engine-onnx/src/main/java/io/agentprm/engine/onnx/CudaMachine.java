package io.agentprm.engine.onnx;

import io.agentprm.lm.NvidiaDriver;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a machine has of what ONNX Runtime's CUDA provider needs. Each build of it is for one major
 * version of CUDA and of cuDNN, and its own message names a missing file only.
 */
final class CudaMachine {
    /** What the provider in onnxruntime_gpu 1.29 is linked to. */
    static final String EXPECTED = "CUDA 12, cuDNN 9 and an NVIDIA driver";

    private static final List<String> USUAL =
            List.of("/usr/local/cuda/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib64");

    private final Path driver;
    private final List<Path> folders;

    /**
     * @param driver where the driver tells its version
     * @param folders where libraries are looked for
     */
    CudaMachine(Path driver, List<Path> folders) {
        this.driver = driver;
        this.folders = List.copyOf(folders);
    }

    /** This machine. */
    static CudaMachine here(Map<String, String> environment) {
        List<Path> folders = new ArrayList<>();
        Optional.ofNullable(environment.get("LD_LIBRARY_PATH")).stream()
                .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
                .filter(folder -> !folder.isBlank())
                .map(Path::of)
                .forEach(folders::add);
        USUAL.stream().map(Path::of).forEach(folders::add);
        return new CudaMachine(NvidiaDriver.VERSION, folders);
    }

    /** What there is, in words. */
    String describe() {
        return "CUDA "
                + versions("libcudart.so.")
                + ", cuDNN "
                + versions("libcudnn.so.")
                + ", driver "
                + NvidiaDriver.describe(driver);
    }

    /** Major versions of a library in the folders that exist. */
    private String versions(String library) {
        TreeSet<String> found = new TreeSet<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.list(folder)) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.startsWith(library))
                        .map(name -> name.substring(library.length()).split("\\.", 2)[0])
                        .forEach(found::add);
            } catch (IOException e) {
                // A folder that is not there has none of it.
            }
        }
        return found.isEmpty()
                ? "none (no " + library + "* in " + folders + ")"
                : String.join(" and ", found);
    }
}
