package io.agentprm.cli.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The bill of materials names what a user may depend on, in the version of this build. */
class BomTest {
    private static final Path BOM = Path.of("agentprm-bom", "pom.xml");
    private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
    private static final Pattern ARTIFACT =
            Pattern.compile("<artifactId>(.*?)</artifactId>\\s*<version>(.*?)</version>");

    /** They are run, not depended on. */
    private static final Set<String> NOT_FOR_USERS =
            Set.of(
                    "agentprm-bom",
                    "agentprm-archetype-environment",
                    "agentprm-examples",
                    "agentprm-bench");

    @Test
    void itListsEveryModuleThatIsForUsers() throws IOException {
        Set<String> modules =
                all(MODULE, root().resolve("pom.xml"))
                        .map(m -> m.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(modules.removeAll(NOT_FOR_USERS));
        Set<String> listed =
                all(ARTIFACT, root().resolve(BOM))
                        .map(m -> m.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));
        listed.removeAll(NOT_FOR_USERS);
        assertEquals(modules, listed);
    }

    @Test
    void itHasTheVersionOfTheBuild() throws IOException {
        String version =
                all(ARTIFACT, root().resolve("pom.xml")).findFirst().orElseThrow().group(2);
        Set<String> listed =
                all(ARTIFACT, root().resolve(BOM))
                        .map(m -> m.group(2))
                        .collect(Collectors.toCollection(TreeSet::new));
        listed.remove("${project.version}");
        assertEquals(Set.of(version), listed);
    }

    private static Stream<MatchResult> all(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file)).results();
    }

    private static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve(BOM))) {
                return at;
            }
        }
        throw new AssertionError(BOM + " is in no directory above " + Path.of("").toAbsolutePath());
    }
}
