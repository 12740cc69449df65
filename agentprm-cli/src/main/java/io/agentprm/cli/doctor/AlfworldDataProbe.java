package io.agentprm.cli.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The released ALFWorld games, which are optional. */
final class AlfworldDataProbe implements Probe {
    private static final String VARIABLE = "ALFWORLD_DATA";
    private static final String GAMES = "json_2.1.1";

    private final Map<String, String> environment;

    AlfworldDataProbe(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public List<Finding> look() {
        String value = environment.getOrDefault(VARIABLE, "");
        if (value.isEmpty()) {
            return List.of(
                    Finding.note(
                            "alfworld data",
                            VARIABLE + " is not set; only generated games can be played"));
        }
        Path games = Path.of(value).resolve(GAMES);
        if (!Files.isDirectory(games)) {
            return List.of(
                    Finding.problem(
                            "alfworld data",
                            VARIABLE
                                    + " is "
                                    + value
                                    + ", but "
                                    + games
                                    + " is missing; point it at the directory that holds "
                                    + GAMES));
        }
        List<Finding> findings = new ArrayList<>();
        try (Stream<Path> splits = Files.list(games)) {
            for (Path split : splits.filter(Files::isDirectory).sorted().toList()) {
                findings.add(split(split));
            }
        } catch (IOException | UncheckedIOException e) {
            findings.add(
                    Finding.problem(
                            "alfworld data", "cannot read " + games + ": " + e.getMessage()));
        }
        return findings;
    }

    private static Finding split(Path split) throws IOException {
        try (Stream<Path> files = Files.walk(split, 3, FileVisitOption.FOLLOW_LINKS)) {
            long games =
                    files.filter(f -> f.getFileName().toString().equals("game.tw-pddl")).count();
            return Finding.ok("alfworld data", games + " games in " + split);
        }
    }
}
