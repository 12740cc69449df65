package io.agentprm.bench;

import io.agentprm.api.AgentPrmException;
import io.agentprm.bench.games.CatalogueBenchmark;
import io.agentprm.bench.games.EnvironmentCommand;
import io.agentprm.bench.games.LoadingBenchmark;
import io.agentprm.bench.games.ShopCommand;
import io.agentprm.bench.measure.Machine;
import io.agentprm.bench.model.BestOfNBenchmark;
import io.agentprm.bench.model.DecodingBenchmark;
import io.agentprm.bench.model.GenerationBenchmark;
import io.agentprm.bench.model.OpenMpBenchmark;
import io.agentprm.bench.model.PeerBenchmark;
import io.agentprm.bench.model.ScaleBenchmark;
import io.agentprm.bench.model.TrainingBenchmark;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point: {@code bench NAME [options]}. */
@Command(
        name = "bench",
        description = "Measures how fast games and models are. bench NAME --help lists settings.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "NAME",
        subcommands = {
            EnvironmentCommand.class,
            LoadingBenchmark.class,
            ShopCommand.class,
            CatalogueBenchmark.class,
            TrainingBenchmark.class,
            PeerBenchmark.class,
            OpenMpBenchmark.class,
            DecodingBenchmark.class,
            GenerationBenchmark.class,
            BestOfNBenchmark.class,
            ScaleBenchmark.class
        })
public final class Main {
    private static final int REFUSED = 2;

    private Main() {}

    /** Runs one benchmark and ends the process: 0 done, 2 refused. */
    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        System.exit(commandLine().setOut(out).execute(arguments));
    }

    /** The command with all its benchmarks. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        line.setExecutionStrategy(
                parsed -> {
                    PrintWriter out = line.getOut();
                    out.println(Machine.describe());
                    out.println("arguments: " + String.join(" ", parsed.originalArgs()));
                    out.flush();
                    int code = new CommandLine.RunLast().execute(parsed);
                    out.println("after it: " + Machine.load());
                    out.flush();
                    return code;
                });
        line.setExecutionExceptionHandler(
                (error, command, parsed) -> {
                    if (error instanceof AgentPrmException) {
                        command.getErr().println("bench: " + error.getMessage());
                        return REFUSED;
                    }
                    throw error;
                });
        return line;
    }
}
