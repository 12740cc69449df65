package io.agentprm.bench.model;

import io.agentprm.bench.measure.BenchmarkException;
import io.agentprm.bench.measure.Machine;
import io.agentprm.engine.djl.Precision;
import io.agentprm.lm.checkpoint.TensorSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Published shapes in memory and time: what loading takes, what a loaded model holds, how fast it
 * generates, what a training step needs. Each figure is of a new process.
 */
@Command(
        name = "scale",
        description = "Memory and speed of published shapes with random weights.",
        mixinStandardHelpOptions = true)
public final class ScaleBenchmark implements Runnable {
    private static final double MIB = 1 << 20;

    @Spec private CommandSpec spec;

    @Option(
            names = "--work",
            defaultValue = "target/scale",
            description =
                    "Folder for the checkpoints, up to 2.5 GB each, which stay for the next time"
                            + " (default: ${DEFAULT-VALUE}).")
    private Path work;

    @Option(
            names = "--shapes",
            split = ",",
            defaultValue = "SMOLLM2_135M,QWEN2_5_0_5B,LLAMA3_2_1B",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<PublishedShape> shapes;

    @Option(
            names = "--precisions",
            split = ",",
            defaultValue = "F32",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<Precision> precisions;

    @Option(
            names = "--weights",
            split = ",",
            defaultValue = "F32,BF16",
            description = "Formats of frozen weights (default: ${DEFAULT-VALUE}).")
    private List<Precision> weights;

    @Option(
            names = "--train",
            split = ",",
            description = "Shapes of which a training step of the whole model is measured.")
    private List<PublishedShape> train = List.of();

    @Option(
            names = "--adapt",
            split = ",",
            description = "Shapes of which a training step of an adapter is measured.")
    private List<PublishedShape> adapt = List.of();

    @Option(
            names = "--rank",
            defaultValue = "16",
            description = "Rank of the adapters, of all linear maps (default: ${DEFAULT-VALUE}).")
    private int rank;

    @Option(
            names = "--recompute",
            split = ",",
            arity = "1",
            defaultValue = "false",
            description = "Whether layers are recomputed in training (default: ${DEFAULT-VALUE}).")
    private List<Boolean> recompute;

    @Option(
            names = "--logits",
            defaultValue = "512",
            description = "MiB of logits held at once (default: ${DEFAULT-VALUE}).")
    private long logits;

    @Option(names = "--onnx", description = "Generation on ONNX Runtime too, in float32.")
    private boolean onnx;

    @Option(names = "--no-generation", description = "Leaves generation out.")
    private boolean noGeneration;

    @Option(
            names = "--threads",
            defaultValue = "2",
            description = "Threads of a product (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--tokens",
            defaultValue = "16",
            description = "Tokens generated (default: ${DEFAULT-VALUE}).")
    private int tokens;

    @Option(
            names = "--row",
            defaultValue = "128",
            description = "Tokens of the one training row (default: ${DEFAULT-VALUE}).")
    private int row;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                "engine, shape, products, weights | MiB of weights | loading s | MiB resident,"
                        + " share of weights | MiB at the peak of loading, share | MiB resident"
                        + " after replies, share | tokens/s of wall clock, of processor time"
                        + " | load");
        for (PublishedShape shape : shapes) {
            Path directory = RandomCheckpoint.write(work.resolve(shape.name()), shape.config());
            for (Precision precision : precisions) {
                measure(out, shape, directory, precision);
            }
            if (onnx && !noGeneration) {
                print(out, generation("onnx", shape, directory, Precision.F32, Precision.F32));
            }
        }
    }

    private void measure(
            PrintWriter out, PublishedShape shape, Path directory, Precision precision) {
        for (Precision held : weights) {
            if (!noGeneration) {
                print(out, generation("djl", shape, directory, precision, held));
            }
            for (boolean again : recompute) {
                if (adapt.contains(shape)) {
                    print(out, training(shape, directory, precision, held, rank, again));
                }
            }
        }
        for (boolean again : recompute) {
            if (train.contains(shape)) {
                print(out, training(shape, directory, precision, Precision.F32, 0, again));
            }
        }
    }

    private static void print(PrintWriter out, String line) {
        out.println(line + " | " + Machine.load());
        out.flush();
    }

    private String generation(
            String engine,
            PublishedShape shape,
            Path directory,
            Precision precision,
            Precision held) {
        double[] f = run(engine, directory, shape, precision, held, tokens, 0, false);
        double bytes = bytes(shape, held);
        return String.format(
                Locale.ROOT,
                "%s %s %s %s | %.0f | %.1f | %.0f %.2f | %.0f %.2f | %.0f %.2f | %.2f %.2f",
                engine,
                shape,
                precision,
                held,
                bytes / MIB,
                f[0],
                f[1] / MIB,
                f[1] / bytes,
                f[2] / MIB,
                f[2] / bytes,
                f[3] / MIB,
                f[3] / bytes,
                f[4],
                f[5]);
    }

    /** Matrices in that format, all else in float32. */
    private static double bytes(PublishedShape shape, Precision held) {
        double bytes = 0;
        for (TensorSpec tensor : shape.config().tensors()) {
            boolean half = held == Precision.BF16 && tensor.shape().rank() == 2;
            bytes += tensor.shape().elements() * (half ? 2.0 : 4.0);
        }
        return bytes;
    }

    private String training(
            PublishedShape shape,
            Path directory,
            Precision precision,
            Precision held,
            int adapterRank,
            boolean again) {
        double[] f = run("train", directory, shape, precision, held, row, adapterRank, again);
        return String.format(
                Locale.ROOT,
                "%s %s %s, step of %d tokens, %s%s | %.2f s, %.2f s of processor time | %.0f MiB at"
                        + " the peak, %.1f bytes a parameter",
                shape,
                precision,
                held,
                row,
                adapterRank == 0 ? "whole model" : "adapter of rank " + adapterRank,
                again ? ", layers recomputed" : "",
                f[0],
                f[1],
                f[2] / MIB,
                f[2] / shape.config().parameters());
    }

    private double[] run(
            String what,
            Path directory,
            PublishedShape shape,
            Precision precision,
            Precision held,
            int count,
            int adapterRank,
            boolean again) {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx768m",
                        "-XX:+UseSerialGC",
                        "-XX:MinHeapFreeRatio=10",
                        "-XX:MaxHeapFreeRatio=20",
                        "-Dai.djl.offline=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ScaleWorker.class.getName(),
                        what,
                        directory.toString(),
                        shape.name(),
                        precision.name(),
                        held.name(),
                        Integer.toString(threads),
                        Integer.toString(count),
                        Integer.toString(adapterRank),
                        Boolean.toString(again),
                        Long.toString(logits));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        try {
            Process process = builder.start();
            String line =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                            .strip();
            if (process.waitFor() != 0 || line.isEmpty()) {
                throw new BenchmarkException("measuring " + shape + " failed; see above");
            }
            List<Double> figures = new ArrayList<>();
            for (String figure : line.split(" ")) {
                figures.add(Double.parseDouble(figure));
            }
            return figures.stream().mapToDouble(x -> x).toArray();
        } catch (IOException e) {
            throw new BenchmarkException("a new JVM can't be started", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchmarkException("interrupted", e);
        }
    }
}
