package io.agentprm.bench.model;

import io.agentprm.bench.measure.BenchmarkException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** llama.cpp's server in a process of its own, on a free port of this machine. */
final class LlamaServer implements AutoCloseable {
    /** Environment variable that names the program {@code llama-server}. */
    static final String VARIABLE = "AGENTPRM_LLAMA_SERVER";

    /** Options with which nothing is rounded to half precision on the way. */
    static final List<String> EXACT =
            List.of("--cache-type-k", "f32", "--cache-type-v", "f32", "--flash-attn", "off");

    private static final int PATIENCE_SECONDS = 120;
    private static final int LINES_SHOWN = 12;

    private final Process process;
    private final Path log;
    private final String url;

    private LlamaServer(Process process, Path log, String url) {
        this.process = process;
        this.log = log;
        this.url = url;
    }

    /** The program, where there is one. */
    static Optional<Path> program() {
        return Optional.ofNullable(System.getenv(VARIABLE))
                .filter(name -> !name.isBlank())
                .map(Path::of);
    }

    /**
     * Starts a server, and waits until it answers. No prompt is kept from request to request.
     *
     * @param model file in GGUF; what the server says is written beside it
     * @param threads of a matrix product
     * @param slots requests that are worked on at the same time
     * @param context tokens of a request, prompt and reply
     * @param more options of the program
     * @throws BenchmarkException if it does not come up
     */
    static LlamaServer start(
            Path program, Path model, int threads, int slots, int context, List<String> more) {
        int port = freePort();
        Path log = model.resolveSibling("server.log");
        List<String> command =
                List.of(
                        program.toString(),
                        "--model",
                        model.toString(),
                        "--host",
                        "127.0.0.1",
                        "--port",
                        Integer.toString(port),
                        "--threads",
                        Integer.toString(threads),
                        "--parallel",
                        Integer.toString(slots),
                        "--ctx-size",
                        Integer.toString(slots * context),
                        "--no-cache-prompt");
        try {
            Process process =
                    new ProcessBuilder(Stream.concat(command.stream(), more.stream()).toList())
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            LlamaServer server = new LlamaServer(process, log, "http://127.0.0.1:" + port);
            server.await();
            return server;
        } catch (IOException e) {
            throw new BenchmarkException(
                    program + " cannot be started; name llama-server in " + VARIABLE, e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new BenchmarkException("there is no free port", e);
        }
    }

    private void await() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        try {
            while (!answers()) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    close();
                    throw new BenchmarkException("llama.cpp's server did not come up: " + said());
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new BenchmarkException("interrupted while llama.cpp's server came up", e);
        }
    }

    private boolean answers() {
        try {
            HttpURLConnection health =
                    (HttpURLConnection) URI.create(url + "/health").toURL().openConnection();
            return health.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            return false;
        }
    }

    /** The end of its log. */
    private String said() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join(
                    " / ", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
        } catch (IOException e) {
            return "it left no log";
        }
    }

    String url() {
        return url;
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
