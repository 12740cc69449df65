package io.agentprm.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.ApiVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A plugin that is broken in any way is reported with provider, JAR and cause; others go on. */
class PluginFailuresTest {
    private static final String LOADED = "io.agentprm.test.loaded";

    @TempDir private Path plugins;
    @TempDir private Path work;

    @BeforeEach
    void aGoodPluginAfterTheBadOne() throws IOException {
        TestJar.plain(work, "good.Good", "good").write(plugins.resolve("good.jar"));
    }

    @AfterEach
    void forget() {
        System.clearProperty(LOADED);
    }

    @Test
    void constructorThatThrows() throws IOException {
        bad("public Bad() { throw new IllegalArgumentException(\"no licence\"); }")
                .write(plugins.resolve("bad.jar"));
        assertProvider("bad.Bad", "no licence");
    }

    @Test
    void nameThatThrowsAnError() throws IOException {
        TestJar.in(work)
                .source(
                        "bad.Bad",
                        TestJar.provider("bad.Bad", "bad", "")
                                .replace("return \"bad\";", "throw new StackOverflowError();"))
                .lists("bad.Bad")
                .write(plugins.resolve("bad.jar"));
        assertProvider("bad.Bad", "StackOverflowError");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void classThatIsMissing(boolean module) throws IOException {
        TestJar jar =
                TestJar.in(work)
                        .source("bad.Base", "package bad; public class Base {}")
                        .source(
                                "bad.Bad",
                                TestJar.provider("bad.Bad", "bad", "")
                                        .replace("Bad implements", "Bad extends Base implements"))
                        .without("bad.Base");
        (module ? jar.module(module("")) : jar.lists("bad.Bad")).write(plugins.resolve("bad.jar"));
        assertProvider("bad.Bad", "bad.Base");
    }

    @Test
    void classFileOfANewerJava() throws IOException {
        bad("").changed("bad.Bad", bytes -> patched(bytes, 7, 99))
                .write(plugins.resolve("bad.jar"));
        assertProvider("bad.Bad", "class file version 99.0");
    }

    @Test
    void classFileThatIsDamaged() throws IOException {
        bad("").changed("bad.Bad", bytes -> Arrays.copyOf(bytes, 200))
                .write(plugins.resolve("bad.jar"));
        assertProvider("bad.Bad", "ClassFormatError");
    }

    @Test
    void classThatIsNoProvider() throws IOException {
        TestJar.in(work)
                .source("bad.Bad", "package bad; public class Bad {}")
                .lists("bad.Bad")
                .write(plugins.resolve("bad.jar"));
        assertProvider("bad.Bad", "not a subtype");
    }

    @Test
    void serviceFileThatNamesNoClass() throws IOException {
        bad("").lists("bad.Bad and more").write(plugins.resolve("bad.jar"));
        assertProvider("(" + TestJar.SERVICE + ")", "Illegal");
    }

    @Test
    void configurationThatIsNotExported() throws IOException {
        bad("").module(module("").replace("exports bad;", "")).write(plugins.resolve("bad.jar"));
        assertProvider("bad.Bad", "add 'exports bad;'");
    }

    @Test
    void archiveThatIsNone() throws IOException {
        Files.writeString(plugins.resolve("bad.jar"), "no archive");
        assertWhole("is no readable JAR");
    }

    @Test
    void oneBrokenJarOfAFolderTakesThePluginWithIt() throws IOException {
        bad("").write(plugins.resolve("bad/bad.jar"));
        Files.writeString(plugins.resolve("bad/lib.jar"), "no archive");
        assertWhole("lib.jar is no readable JAR");
    }

    @Test
    void moduleDescriptorThatIsDamaged() throws IOException {
        bad("").module(module(""))
                .changed("module-info", bytes -> Arrays.copyOf(bytes, 60))
                .write(plugins.resolve("bad.jar"));
        assertWhole("module-info.class is damaged");
    }

    @Test
    void moduleThatIsNotBrought() throws IOException {
        Path lib =
                TestJar.in(work)
                        .module("module absent { exports absent; }")
                        .source("absent.Absent", "package absent; public class Absent {}")
                        .write(work.resolve("absent.jar"));
        bad("").against(lib).module(module("requires absent;")).write(plugins.resolve("bad.jar"));
        assertWhole("absent not found, required by bad; put each module");
    }

    @Test
    void errorsHaveALimit() throws IOException {
        TestJar.in(work)
                .lists(IntStream.range(0, 300).mapToObj(i -> "bad.B" + i).toArray(String[]::new))
                .write(plugins.resolve("bad.jar"));
        List<PluginFailure> failures = failures();
        assertEquals(101, failures.size());
        assertTrue(failures.get(100).reason().contains("stopped after 100 errors"));
    }

    @ParameterizedTest
    @CsvSource({
        "2.0, 'update AgentPRM'",
        "1.1, 'update AgentPRM'",
        "0.9, 'newer release of the plugin'",
        "x, 'must be a version such as 1.0'"
    })
    void anotherVersionOfTheApiIsRefusedBeforeAnythingIsLoaded(String version, String advice)
            throws IOException {
        bad("static { System.setProperty(\"" + LOADED + "\", \"yes\"); }")
                .attribute(ApiVersion.ATTRIBUTE, version)
                .write(plugins.resolve("bad.jar"));
        assertWhole(advice);
        assertEquals(null, System.getProperty(LOADED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1.0"})
    void theSameVersionOfTheApiIsTaken(String version) throws IOException {
        bad("").attribute(ApiVersion.ATTRIBUTE, version).write(plugins.resolve("bad.jar"));
        try (PluginDirectories directories = PluginDirectories.named(List.of(plugins))) {
            assertEquals(List.of(), directories.discover().failures());
            assertTrue(directories.notes().stream().noneMatch(note -> note.contains("bad.jar")));
        }
    }

    @Test
    void aPluginThatDoesNotSayItsVersionIsTakenAndNoted() throws IOException {
        try (PluginDirectories directories = PluginDirectories.named(List.of(plugins))) {
            assertEquals(List.of(), directories.discover().failures());
            assertTrue(directories.notes().get(0).contains("good.jar does not say which API"));
        }
    }

    private static String module(String more) {
        return "module bad { requires io.agentprm.api; exports bad; "
                + more
                + " provides io.agentprm.api.plugin.EnvironmentProvider with bad.Bad; }";
    }

    private TestJar bad(String body) throws IOException {
        return TestJar.in(work)
                .source("bad.Bad", TestJar.provider("bad.Bad", "bad", body))
                .lists("bad.Bad");
    }

    private static byte[] patched(byte[] bytes, int at, int value) {
        byte[] changed = bytes.clone();
        changed[at] = (byte) value;
        return changed;
    }

    private List<PluginFailure> failures() {
        try (PluginDirectories directories = PluginDirectories.named(List.of(plugins))) {
            Plugins found = directories.discover();
            assertEquals("good", found.find(ProviderKind.ENVIRONMENT, "good").name());
            return found.failures();
        }
    }

    private PluginFailure failure() {
        List<PluginFailure> failures = failures();
        assertEquals(1, failures.size(), failures.toString());
        assertTrue(failures.get(0).location().contains("bad"), failures.toString());
        assertFalse(failures.get(0).location().contains("good"), failures.toString());
        return failures.get(0);
    }

    private void assertProvider(String provider, String reason) {
        PluginFailure failure = failure();
        assertEquals(provider, failure.provider());
        assertTrue(failure.location().endsWith("bad.jar"), failure.location());
        assertTrue(failure.reason().contains(reason), failure.reason());
    }

    private void assertWhole(String reason) {
        PluginFailure failure = failure();
        assertTrue(failure.kind().isEmpty(), failure.toString());
        assertTrue(failure.reason().contains(reason), failure.reason());
    }
}
