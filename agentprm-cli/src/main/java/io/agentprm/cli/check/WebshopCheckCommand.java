package io.agentprm.cli.check;

import io.agentprm.core.RunException;
import io.agentprm.env.webshop.check.RecordingCheck;
import io.agentprm.env.webshop.reward.NounExtractor;
import io.agentprm.env.webshop.reward.NounTable;
import io.agentprm.env.webshop.reward.OpenNlpNouns;
import io.agentprm.env.webshop.suite.Storage;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays recordings of the original WebShop. */
@Command(
        name = "webshop",
        description = {
            "Replay recordings of the original WebShop on the catalogue in DIR.",
            "Prints each difference and 'N comparisons, M mismatches'."
        })
final class WebshopCheckCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
            names = "--data",
            required = true,
            defaultValue = "${env:WEBSHOP_DATA}",
            paramLabel = "DIR",
            description = "Directory that holds items_shuffle*.json (default: $WEBSHOP_DATA).")
    private Path data;

    @Option(
            names = "--nouns",
            paramLabel = "FILE",
            description =
                    "Nouns of titles that the recordings were made with; others are tagged here.")
    private Optional<Path> nouns;

    @Option(
            names = "--storage",
            paramLabel = "WHERE",
            defaultValue = "auto",
            description =
                    "Where the products are kept meanwhile: memory, disk or auto (default:"
                            + " ${DEFAULT-VALUE}).")
    private Storage storage;

    @Parameters(
            arity = "1..*",
            paramLabel = "RECORDING",
            description =
                    "Episodes, rewards, rankings or similarities as JSON, gzipped if the name ends"
                            + " with .gz.")
    private List<Path> recordings;

    @Override
    public Integer call() {
        if (!Files.isDirectory(data)) {
            throw new RunException(
                    "there is no directory "
                            + data
                            + "; give the one that holds items_shuffle*.json with --data");
        }
        for (Path recording : recordings) {
            if (!Files.isReadable(recording)) {
                throw new RunException("cannot read the recording " + recording);
            }
        }
        NounExtractor tagger = OpenNlpNouns.create();
        NounExtractor extractor = nouns.isPresent() ? NounTable.read(nouns.get(), tagger) : tagger;
        try (PrintStream out = LineStream.to(spec.commandLine().getOut())) {
            return RecordingCheck.run(data, storage, extractor, recordings, out).clean() ? 0 : 1;
        }
    }
}
