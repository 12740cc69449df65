package io.agentprm.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every benchmark still runs and prints figures; what they are is nobody's business here. */
class BenchmarksRunTest {
    private static final Path PEER = Path.of("src/main/python/train_throughput.py");

    @Test
    void environmentStepsAndResetsAreMeasured() {
        String out = run("environment", "--forks", "0", "--iterations", "1", "--seconds", "0.1");
        assertTrue(out.contains("reset"), out);
        assertTrue(out.contains("step"), out);
        assertTrue(out.contains("per-cpu-second"), out);
    }

    @Test
    void stepsInTheShopAreMeasured() {
        String out = run("shop", "--forks", "0", "--iterations", "1", "--seconds", "0.1");
        assertTrue(out.contains("loopWithSearch"), out);
        assertTrue(out.contains("pageActions"), out);
        assertTrue(out.contains("opening"), out);
    }

    @Test
    void aCatalogueIsMeasured(@TempDir Path folder) {
        String out =
                run(
                        "catalogue",
                        "--folder",
                        folder.toString(),
                        "--products",
                        "200",
                        "--searches",
                        "5",
                        "--sessions",
                        "5");
        assertTrue(out.contains("opened again in"), out);
        assertTrue(out.contains("later searches: median"), out);
        assertTrue(out.contains("5 open sessions"), out);
    }

    @Test
    void loadingIsMeasured() {
        assertTrue(run("loading", "--split", "valid_unseen").contains("games in"));
    }

    @Test
    void trainingIsMeasuredBesideProducts() {
        String out = run("training", "--shapes", "TINY", "--threads", "1", "--steps", "1");
        assertTrue(out.contains("tiny   F32  1 |"), out);
        assertTrue(out.contains("tiny   BF16 1 |"), out);
    }

    @Test
    void waitingOfOpenMpThreadsIsMeasured() {
        String out =
                run(
                        "openmp",
                        "--shape",
                        "TINY",
                        "--threads",
                        "1",
                        "--busy",
                        "1",
                        "--rounds",
                        "1",
                        "--steps",
                        "1");
        assertTrue(out.contains("SPIN"), out);
        assertTrue(out.contains("SLEEP"), out);
    }

    @Test
    void generationIsMeasured() {
        String out = run("generation", "--episodes", "2", "--turns", "2", "--rounds", "1");
        assertTrue(out.contains("BEST_OF_8"), out);
    }

    @Test
    void choosingAmongRepliesIsMeasuredOnBothEngines() {
        String out =
                run(
                        "best-of-n",
                        "--shapes",
                        "TINY",
                        "--n",
                        "3",
                        "--prompt",
                        "4",
                        "--observation",
                        "2",
                        "--turns",
                        "2",
                        "--rounds",
                        "1");
        for (String engine : List.of("DJL ", "ONNX ")) {
            assertTrue(out.contains("tiny   " + engine), out);
        }
    }

    @Test
    void decodingIsMeasuredOnEveryEngine() {
        String out =
                run(
                        "decoding",
                        "--shapes",
                        "TINY",
                        "--batches",
                        "2",
                        "--tokens",
                        "3",
                        "--prompt",
                        "4",
                        "--rounds",
                        "1");
        for (String engine : List.of("DJL", "ONNX ", "ONNX_INT8", "ONNX_INT4")) {
            assertTrue(out.contains("tiny     2 " + engine), out);
        }
    }

    @Test
    void publishedShapesAreLoadedUsedAndTrained(@TempDir Path work) {
        Assumptions.assumeTrue(Files.isWritable(Path.of("/proc/self/clear_refs")), "no Linux");
        String out =
                run(
                        "scale",
                        "--work",
                        work.toString(),
                        "--shapes",
                        "TINY",
                        "--train",
                        "TINY",
                        "--adapt",
                        "TINY",
                        "--recompute",
                        "true",
                        "--onnx",
                        "--tokens",
                        "3",
                        "--row",
                        "8");
        assertTrue(out.contains("djl TINY F32 BF16 | 0"), out);
        assertTrue(out.contains("onnx TINY F32 F32 | 0"), out);
        assertTrue(out.contains("step of 8 tokens, adapter of rank 16, layers recomputed"), out);
        assertTrue(out.contains("step of 8 tokens, whole model, layers recomputed"), out);
    }

    @Test
    void peerTakesTurns() {
        Assumptions.assumeTrue(pythonHasTorch(), "/usr/bin/python3 has no torch");
        String out =
                run(
                        "peer",
                        "--shapes",
                        "TINY",
                        "--threads",
                        "1",
                        "--rounds",
                        "1",
                        "--steps",
                        "2",
                        "--script",
                        PEER.toString());
        assertTrue(out.contains("PYTHON"), out);
    }

    @Test
    void missingPeerIsRefused() {
        assertEquals(2, Main.commandLine().execute("peer", "--script", "no/such/file.py"));
    }

    private static String run(String... arguments) {
        StringWriter text = new StringWriter();
        int code = Main.commandLine().setOut(new PrintWriter(text)).execute(arguments);
        assertEquals(0, code, text::toString);
        assertTrue(text.toString().contains("load "), "the load stands beside the figures");
        return text.toString();
    }

    private static boolean pythonHasTorch() {
        Path python = Path.of("/usr/bin/python3");
        if (!Files.isExecutable(python)) {
            return false;
        }
        try {
            Process process =
                    new ProcessBuilder(python.toString(), "-c", "import torch")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
