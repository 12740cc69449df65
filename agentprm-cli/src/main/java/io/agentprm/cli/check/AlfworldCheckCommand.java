package io.agentprm.cli.check;

import io.agentprm.core.RunException;
import io.agentprm.env.alfworld.check.RecordingCheck;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays recordings of the original ALFWorld. */
@Command(
        name = "alfworld",
        description = {
            "Replay recordings of the original ALFWorld engine on the games in DIR.",
            "Prints the first difference of each game and 'N comparisons, M mismatches'."
        })
final class AlfworldCheckCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
            names = "--data",
            required = true,
            defaultValue = "${env:ALFWORLD_DATA}",
            paramLabel = "DIR",
            description = "Directory that holds json_2.1.1 (default: $ALFWORLD_DATA).")
    private Path data;

    @Parameters(
            arity = "1..*",
            paramLabel = "RECORDING",
            description = "JSON Lines, gzipped if the name ends with .gz.")
    private List<Path> recordings;

    @Override
    public Integer call() {
        if (!Files.isDirectory(data)) {
            throw new RunException(
                    "there is no directory "
                            + data
                            + "; give the one that holds json_2.1.1 with --data");
        }
        for (Path recording : recordings) {
            if (!Files.isReadable(recording)) {
                throw new RunException("cannot read the recording " + recording);
            }
        }
        try (PrintStream out = LineStream.to(spec.commandLine().getOut())) {
            return RecordingCheck.run(data, recordings, out).clean() ? 0 : 1;
        }
    }
}
