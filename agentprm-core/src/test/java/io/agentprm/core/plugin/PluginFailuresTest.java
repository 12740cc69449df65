package io.agentprm.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
    void classThatCannotBeMade() throws IOException {
        bad("private Bad() {}").write(plugins.resolve("bad.jar"));
        assertProvider("bad.Bad", "with a public constructor without parameters");
    }

    @Test
    void moduleOfANewerJava() throws IOException {
        bad("").module(module(""))
                .changed("module-info", bytes -> patched(bytes, 7, 99))
                .write(plugins.resolve("bad.jar"));
        assertWhole("newer Java than " + Runtime.version().feature());
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
    void serviceFileWithAByteOrderMark() throws IOException {
        bad("").lists("\uFEFFbad.Bad").write(plugins.resolve("bad.jar"));
        assertProvider("(" + TestJar.SERVICE + ")", "bad.Bad after a byte order mark");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"return null;", "return \" \";", "throw new Error(\"no description\");"})
    void descriptionThatIsNone(String body) throws IOException {
        changed("return \"A test.\";", body).write(plugins.resolve("bad.jar"));
        assertProvider("bad.Bad", "no description");
    }

    @Test
    void nameThatIsNone() throws IOException {
        changed("return \"bad\";", "return null;").write(plugins.resolve("bad.jar"));
        assertProvider("bad.Bad", "the name '' must consist of");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(float size) {}                         | Config.size has the type float",
                "(java.util.List<?> sizes) {}            | Config.sizes has the type ?",
                "(@Default(\"many\") int size) {}        | size: an integer is expected",
                "(@Default(\"{\") String size) {}        | default of Config.size:1",
                "(java.util.Optional<Config> inner) {}   | Config contains itself",
                "(In in) { record In(int size) {} }      | make the record and all that encloses",
                "(String type) {}                        | rename the component",
                "(java.util.List<In> in) { public record In(@Default(\"x\") int i) {} } | i: an integer"
            })
    void configurationThatNoFileCanHold(String record, String reason) throws IOException {
        changed("(@Default(\"1\") int size) {}", record).write(plugins.resolve("bad.jar"));
        assertProvider("bad.Bad", reason);
    }

    @Test
    void configurationThatIsNoRecord() throws IOException {
        changed("return Config.class;", "return (Class) String.class;")
                .write(plugins.resolve("bad.jar"));
        assertProvider("bad.Bad", "java.lang.String is no record");
    }

    /** Shading signed JARs into one makes such a JAR. */
    @Test
    void signatureThatDoesNotFit() throws Exception {
        TamperedJar.make(bad("").write(plugins.resolve("bad.jar")), work);
        assertWhole("its signature does not fit");
    }

    @Test
    void classThatMayNotBeDefined() throws IOException {
        bad("").lists("java.bad.Bad")
                .file("java/bad/Bad.class", "no matter what")
                .write(plugins.resolve("bad.jar"));
        assertProvider("java.bad.Bad", "SecurityException");
    }

    @Test
    void folderThatCannotBeListed() throws IOException {
        Path folder = Files.createDirectory(plugins.resolve("bad"));
        assumeTrue(folder.toFile().setReadable(false) && !Files.isReadable(folder), "not for root");
        assertWhole("no permission");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void twoVersionsInOneFolder(boolean module) throws IOException {
        for (String version : List.of("1.0", "1.1")) {
            (module ? bad("").module(module("")) : bad(""))
                    .write(plugins.resolve("bad/bad-" + version + ".jar"));
        }
        assertWhole("bad.Bad is in two JARs, bad-1.0.jar and bad-1.1.jar; leave one");
    }

    @Test
    void twoVersionsOfALibraryModuleInOneFolder() throws IOException {
        bad("").module(module("")).write(plugins.resolve("bad/bad.jar"));
        for (String version : List.of("1.0", "1.1")) {
            TestJar.in(work)
                    .module("module lib { exports lib; }")
                    .source("lib.Lib", "package lib; public class Lib {}")
                    .write(plugins.resolve("bad/lib-" + version + ".jar"));
        }
        assertWhole("module lib is in two JARs, lib-1.0.jar and lib-1.1.jar");
    }

    @Test
    void folderFromWhichJavaLoadsNothing() throws IOException {
        bad("").write(plugins.resolve("bad!/bad.jar"));
        assertWhole("rename it");
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

    /** The bad provider with that text of its source replaced. */
    private TestJar changed(String text, String replacement) throws IOException {
        String source = TestJar.provider("bad.Bad", "bad", "").replace(text, replacement);
        assertTrue(source.contains(replacement), source);
        return TestJar.in(work).source("bad.Bad", source).lists("bad.Bad");
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
