package io.agentprm.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A JAR that was changed after it was signed, with the tools of the JDK. */
final class TamperedJar {
    private TamperedJar() {}

    /** Signs a JAR, then adds to its manifest, as one does who puts another JAR into it. */
    static void make(Path jar, Path work) throws IOException, InterruptedException {
        String keys = work.resolve("keys").toString();
        run(
                "keytool",
                "-keystore",
                keys,
                "-storepass",
                "changeit",
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=a");
        run("jarsigner", "-keystore", keys, "-storepass", "changeit", jar.toString(), "a");
        URI archive = URI.create("jar:" + jar.toUri());
        try (FileSystem files = FileSystems.newFileSystem(archive, Map.of())) {
            Path manifest = files.getPath("META-INF/MANIFEST.MF");
            String text = Files.readString(manifest);
            Files.writeString(manifest, text.replaceFirst("\r\n", "\r\nMore: yes\r\n"));
        }
    }

    private static void run(String tool, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", tool).toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        byte[] output = process.getInputStream().readAllBytes();
        assertEquals(0, process.waitFor(), new String(output, StandardCharsets.UTF_8));
    }
}
