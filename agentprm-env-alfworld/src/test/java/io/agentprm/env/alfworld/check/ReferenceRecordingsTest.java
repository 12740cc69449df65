package io.agentprm.env.alfworld.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.env.alfworld.TestData;
import io.agentprm.env.alfworld.game.Engine;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Everything that was recorded on the reference engine comes out the same. */
class ReferenceRecordingsTest {
    @ParameterizedTest
    @EnumSource(Engine.class)
    @Tag("slow")
    void tracesAreReproduced(Engine engine) {
        check(engine, TestData.allSplits(), 100_000, "traces.jsonl.gz");
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    @Tag("slow")
    void rareSituationsAreReproduced(Engine engine) {
        check(engine, TestData.allSplits(), 16_000, "targeted.jsonl.gz");
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void gamesOfTheOldReleaseAreReproduced(Engine engine) {
        check(
                engine,
                TestData.unpacked("old_release_games.tar.xz"),
                11_000,
                "old_grammar.jsonl.gz");
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void theBatchInterfaceIsReproduced(Engine engine) {
        check(
                engine,
                TestData.split("valid_unseen"),
                200,
                "conformance_gym.json",
                "conformance_numpy_shuffle.json");
    }

    private static void check(Engine engine, Path data, long atLeast, String... names) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Path> recordings = List.of(names).stream().map(TestData::file).toList();
        RecordingCheck.Result result =
                RecordingCheck.run(
                        data,
                        recordings,
                        engine,
                        new PrintStream(out, true, StandardCharsets.UTF_8));
        assertEquals(0, result.mismatches(), () -> out.toString(StandardCharsets.UTF_8));
        assertTrue(result.comparisons() >= atLeast, result::toString);
    }
}
