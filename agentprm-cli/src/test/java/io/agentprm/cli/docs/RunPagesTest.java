package io.agentprm.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.cli.run.TinyRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages on a run's directory and its report speak of all that there is. */
class RunPagesTest {
    @TempDir private static Path directory;
    private static Path run;

    @BeforeAll
    static void run() {
        run = directory.resolve("run");
        TinyRun.run(run);
    }

    @Test
    void everyFileOfARunIsExplained() throws IOException {
        List<String> rows =
                Pattern.compile("(?m)^\\| `([^`]+)` \\|")
                        .matcher(page("run-directory.md"))
                        .results()
                        .map(row -> row.group(1))
                        .toList();
        List<Pattern> places = rows.stream().map(RunPagesTest::pattern).toList();
        try (Stream<Path> files = Files.walk(run)) {
            List<String> unknown =
                    files.filter(Files::isRegularFile)
                            .map(file -> run.relativize(file).toString().replace('\\', '/'))
                            .filter(file -> !explained(file, places))
                            .toList();
            assertEquals(List.of(), unknown);
        }
    }

    /** A file of the run itself, or one that stages have in a stage. */
    private static boolean explained(String file, List<Pattern> places) {
        if (places.stream().anyMatch(place -> place.matcher(file).matches())) {
            return true;
        }
        for (int at = file.indexOf('/'); at >= 0; at = file.indexOf('/', at + 1)) {
            String stage = file.substring(0, at + 1);
            String rest = file.substring(at + 1);
            if (places.stream().anyMatch(p -> p.matcher(stage).matches())
                    && places.stream()
                            .anyMatch(
                                    p ->
                                            p.matcher(rest).matches()
                                                    || p.matcher(rest.replaceFirst("/.*", "/"))
                                                            .matches())) {
                return true;
            }
        }
        return false;
    }

    private static Pattern pattern(String place) {
        return Pattern.compile(
                Pattern.quote(place)
                        .replaceAll("(?<![A-Za-z])(I|K)(?![A-Za-z])", "\\\\E[0-9]+\\\\Q")
                        .replaceAll("AGENT|WAY|NAME", "\\\\E[a-z0-9-]+\\\\Q"));
    }

    @Test
    void everySectionOfTheReportIsExplained() throws IOException {
        List<String> sections =
                Pattern.compile("<h2>([^<]+)</h2>")
                        .matcher(Files.readString(run.resolve("report.html")))
                        .results()
                        .map((MatchResult heading) -> heading.group(1))
                        .toList();
        assertTrue(sections.size() > 5, sections.toString());
        String page = page("read-a-report.md");
        assertEquals(
                List.of(),
                sections.stream().filter(s -> !page.contains("\n## " + s + "\n")).toList());
    }

    private static String page(String name) throws IOException {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("docs").resolve(name))) {
                return Files.readString(at.resolve("docs").resolve(name));
            }
        }
        throw new AssertionError("docs/" + name + " is in no directory above this one");
    }
}
