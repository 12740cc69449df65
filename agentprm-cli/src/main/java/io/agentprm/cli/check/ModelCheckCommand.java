package io.agentprm.cli.check;

import io.agentprm.core.RunException;
import io.agentprm.engine.djl.DjlConfig;
import io.agentprm.engine.djl.DjlEngine;
import io.agentprm.engine.djl.ModelCheck;
import io.agentprm.engine.djl.Precision;
import io.agentprm.engine.onnx.OnnxConfig;
import io.agentprm.engine.onnx.OnnxEngine;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares a model with numbers that the original code computed for it. */
@Command(
        name = "model",
        description = {
            "Compare a model's numbers with those that Hugging Face code computed for it.",
            "Prints the largest deviation of every block against its tolerance."
        })
final class ModelCheckCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DIR", description = "Model directory.")
    private Path model;

    @Parameters(
            index = "1",
            paramLabel = "EXPECTED",
            description = "Expected numbers, .json or .json.gz.")
    private Path expected;

    @Option(names = "--adapter", paramLabel = "DIR", description = "LoRA adapter to apply.")
    private Optional<Path> adapter;

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            defaultValue = "djl",
            description = "djl, or onnx, which does not train (default: ${DEFAULT-VALUE}).")
    private CheckedEngine engine;

    /**
     * Engines by their names, on one thread and in full precision: what the numbers were made with.
     */
    private enum CheckedEngine {
        DJL {
            @Override
            boolean check(Path model, Path expected, Optional<Path> adapter, PrintWriter out) {
                DjlConfig exact = DjlConfig.defaults().withThreads(1).withPrecision(Precision.F32);
                try (DjlEngine engine = DjlEngine.open(exact)) {
                    return new ModelCheck(engine).run(model, expected, adapter, out);
                }
            }
        },
        ONNX {
            @Override
            boolean check(Path model, Path expected, Optional<Path> adapter, PrintWriter out) {
                try (OnnxEngine engine = OnnxEngine.open(OnnxConfig.defaults().withThreads(1))) {
                    return new io.agentprm.engine.onnx.ModelCheck(engine)
                            .run(model, expected, adapter, out);
                }
            }
        };

        abstract boolean check(Path model, Path expected, Optional<Path> adapter, PrintWriter out);
    }

    @Override
    public Integer call() {
        requireDirectory(model);
        adapter.ifPresent(ModelCheckCommand::requireDirectory);
        if (!Files.isReadable(expected)) {
            throw new RunException("cannot read the expected numbers " + expected);
        }
        PrintWriter out = spec.commandLine().getOut();
        return engine.check(model, expected, adapter, out) ? 0 : 1;
    }

    private static void requireDirectory(Path directory) {
        if (!Files.isDirectory(directory)) {
            throw new RunException("there is no directory " + directory);
        }
    }
}
