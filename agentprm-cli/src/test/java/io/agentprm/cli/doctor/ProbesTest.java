package io.agentprm.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.agentprm.core.plugin.PluginDirectories;
import io.agentprm.core.plugin.Plugins;
import io.agentprm.lm.DeviceChoice;
import io.agentprm.testkit.TabularEngineProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ProbesTest {
    @TempDir private Path directory;

    @Test
    void cpuFeaturesAreThoseThatMatter() throws IOException {
        Path file = directory.resolve("cpuinfo");
        Files.writeString(
                file, "model name\t: Example CPU\nflags\t\t: fpu avx avx2 sse4_2 avx512f\n\n");
        CpuInfo cpu = CpuInfo.read(file).orElseThrow();
        assertEquals("Example CPU", cpu.model());
        assertEquals(List.of("avx", "avx2", "avx512f"), cpu.features());
    }

    @Test
    void absentCpuInfoIsNoError() {
        assertTrue(CpuInfo.read(directory.resolve("none")).isEmpty());
    }

    @Test
    void unsetDataVariableIsANote() {
        assertEquals(Finding.Grade.NOTE, only(new AlfworldDataProbe(Map.of())).grade());
    }

    @Test
    void wrongDataVariableNamesTheDirectoryThatIsMissing() {
        Finding finding =
                only(new AlfworldDataProbe(Map.of("ALFWORLD_DATA", directory.toString())));
        assertEquals(Finding.Grade.PROBLEM, finding.grade());
        assertTrue(finding.text().contains(directory.resolve("json_2.1.1").toString()));
    }

    @Test
    void gamesAreCountedBySplit() throws IOException {
        Path split = directory.resolve("json_2.1.1/valid_unseen");
        for (String trial : List.of("a/trial_1", "a/trial_2", "b/trial_1")) {
            Files.createDirectories(split.resolve(trial));
            Files.createFile(split.resolve(trial).resolve("game.tw-pddl"));
        }
        Finding finding =
                only(new AlfworldDataProbe(Map.of("ALFWORLD_DATA", directory.toString())));
        assertEquals(Finding.Grade.OK, finding.grade());
        assertTrue(finding.text().startsWith("3 games in "), finding.text());
    }

    @Test
    void gamesOfASplitThatIsALinkAreCounted() throws IOException {
        Path elsewhere = directory.resolve("elsewhere/a/trial_1");
        Files.createDirectories(elsewhere);
        Files.createFile(elsewhere.resolve("game.tw-pddl"));
        Path games = Files.createDirectories(directory.resolve("json_2.1.1"));
        Files.createSymbolicLink(games.resolve("train"), directory.resolve("elsewhere"));
        Finding finding =
                only(new AlfworldDataProbe(Map.of("ALFWORLD_DATA", directory.toString())));
        assertTrue(finding.text().startsWith("1 games in "), finding.text());
    }

    @Test
    void unsetVariableOfTheShopIsANote() {
        assertEquals(Finding.Grade.NOTE, only(new WebshopDataProbe(Map.of())).grade());
    }

    @Test
    void wrongVariableOfTheShopNamesTheFileThatIsMissing() throws IOException {
        WebshopDataProbe probe = new WebshopDataProbe(Map.of("WEBSHOP_DATA", directory.toString()));
        Files.writeString(directory.resolve("items_shuffle_1000.json"), "[]");
        Finding finding = only(probe);
        assertEquals(Finding.Grade.PROBLEM, finding.grade());
        assertTrue(finding.text().contains("items_ins_v2*.json"), finding.text());
        Path none = directory.resolve("none");
        Finding absent = only(new WebshopDataProbe(Map.of("WEBSHOP_DATA", none.toString())));
        assertEquals(Finding.Grade.PROBLEM, absent.grade());
        assertTrue(absent.text().contains("there is no directory " + none), absent.text());
    }

    @Test
    void productsAreFoundAndSoIsWhetherPeopleWroteInstructions() throws IOException {
        WebshopDataProbe probe = new WebshopDataProbe(Map.of("WEBSHOP_DATA", directory.toString()));
        Files.writeString(directory.resolve("items_shuffle_1000.json"), "[]");
        Files.writeString(directory.resolve("items_ins_v2_1000.json"), "{}");
        assertEquals(Finding.Grade.OK, only(probe).grade());
        assertTrue(only(probe).text().contains("without instructions of people"));
        Files.writeString(directory.resolve("items_human_ins.json"), "{}");
        assertTrue(only(probe).text().contains(", with instructions of people"));
    }

    @Test
    void spinningOpenMpThreadsAreNoted() {
        List<Finding> findings =
                new MachineProbe(directory.resolve("none"), directory, Map.of()).look();
        assertTrue(
                findings.stream()
                        .anyMatch(
                                f ->
                                        f.topic().equals("openmp")
                                                && f.grade() == Finding.Grade.NOTE));
    }

    @Test
    void problemGivesExitCodeOne() {
        assertEquals(1, doctor(List.of(Finding.ok("a", "b"), Finding.problem("c", "d"))));
        assertEquals(0, doctor(List.of(Finding.ok("a", "b"), Finding.note("c", "d"))));
    }

    @Test
    void providersAndFailuresAreListed() throws IOException {
        Files.writeString(directory.resolve("broken.jar"), "no archive");
        Path lib = Files.createDirectories(directory.resolve("deep/lib"));
        Files.writeString(lib.resolve("deep.jar"), "no archive");
        try (PluginDirectories directories = PluginDirectories.open(List.of(directory))) {
            List<Finding> findings = new PluginProbe(directories).look();
            assertTrue(
                    findings.stream()
                            .anyMatch(
                                    f ->
                                            f.grade() == Finding.Grade.OK
                                                    && f.text().startsWith("environment: ")
                                                    && f.text().contains("alfworld")),
                    findings.toString());
            List<Finding> problems =
                    findings.stream().filter(f -> f.grade() == Finding.Grade.PROBLEM).toList();
            assertEquals(1, problems.size(), problems.toString());
            assertTrue(problems.get(0).text().contains("broken.jar is no readable JAR"));
            assertTrue(findings.stream().anyMatch(f -> f.text().contains("deep is no plugin")));
        }
    }

    @Test
    void enginesAreOpenedAndTellTheirDevice() {
        // The test kit's engine is on the class path of tests.
        String engine = new TabularEngineProvider().name();
        assertTrue(
                new EngineProbe(Plugins::discover)
                        .look().stream()
                                .anyMatch(
                                        f ->
                                                f.grade() == Finding.Grade.OK
                                                        && f.text().startsWith(engine + " on ")));
    }

    @Test
    void nativeLibrariesAreShownWithTheirVersions() {
        List<String> texts =
                new EngineProbe(Plugins::discover).look().stream().map(Finding::text).toList();
        assertTrue(
                texts.stream().anyMatch(t -> t.matches("djl, PyTorch 2\\.7\\.1\\S*, on .*")),
                texts.toString());
        assertTrue(
                texts.stream().anyMatch(t -> t.matches("onnx, ONNX Runtime 1\\.\\S+, on .*")),
                texts.toString());
    }

    @Test
    void whatAnEngineLacksForCudaIsNotedWithExpectedAndFound() {
        assumeFalse(Files.exists(Path.of("/proc/driver/nvidia/version")), "there is a GPU");
        List<Finding> findings = new EngineProbe(Plugins::discover).look();
        String djl = note(findings, "djl without CUDA: ");
        assertTrue(djl.contains("expected: libtorch "), djl);
        assertTrue(djl.contains("PYTORCH_FLAVOR=cu128, found: "), djl);
        assertTrue(djl.endsWith(DeviceChoice.CUDA_UNTRIED), djl);
        String onnx = note(findings, "onnx without CUDA: ");
        assertTrue(onnx.contains("expected ONNX Runtime with the CUDA provider, found"), onnx);
        assertTrue(onnx.contains("onnxruntime_gpu:1."), onnx);
        assertTrue(onnx.endsWith(DeviceChoice.CUDA_UNTRIED), onnx);
    }

    private static String note(List<Finding> findings, String start) {
        List<Finding> all =
                findings.stream().filter(finding -> finding.text().startsWith(start)).toList();
        assertEquals(1, all.size(), findings.toString());
        assertEquals(Finding.Grade.NOTE, all.get(0).grade());
        return all.get(0).text();
    }

    @Test
    void anEngineThatNeedsSettingsIsNoProblem() {
        Finding finding =
                new EngineProbe(Plugins::discover)
                        .look().stream()
                                .filter(f -> f.text().startsWith("openai "))
                                .findFirst()
                                .orElseThrow();
        assertEquals(Finding.Grade.NOTE, finding.grade());
        assertTrue(finding.text().contains("agentprm plugins openai"), finding.text());
    }

    private static int doctor(List<Finding> findings) {
        return new CommandLine(new DoctorCommand(List.of(() -> findings)))
                .setOut(new PrintWriter(new StringWriter()))
                .execute();
    }

    private static Finding only(Probe probe) {
        List<Finding> findings = probe.look();
        assertEquals(1, findings.size());
        return findings.get(0);
    }
}
