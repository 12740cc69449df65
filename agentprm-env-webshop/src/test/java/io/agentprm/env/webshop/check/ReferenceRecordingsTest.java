package io.agentprm.env.webshop.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.env.webshop.TestData;
import io.agentprm.env.webshop.suite.Storage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Everything that was recorded on the original comes out the same, wherever products are kept. */
class ReferenceRecordingsTest {
    @ParameterizedTest
    @EnumSource(names = {"MEMORY", "DISK"})
    void episodesAreReproduced(Storage storage) {
        check(storage, 3_000, "episodes.json.gz");
    }

    @ParameterizedTest
    @EnumSource(names = {"MEMORY", "DISK"})
    void rewardsAreReproducedWithAllTheirParts(Storage storage) {
        check(storage, 4_400, "reward_cases.json.gz");
    }

    @ParameterizedTest
    @EnumSource(names = {"MEMORY", "DISK"})
    void rankingsAreReproducedOnAThousandAndOnAHundredProducts(Storage storage) {
        check(storage, 3_900, "bm25_rankings.json.gz", "bm25_rankings_100.json.gz");
    }

    @Test
    void similaritiesAndColoursAreReproduced() {
        check(Storage.MEMORY, 1_500, "token_set_ratio.json.gz", "normalize_color.json");
    }

    private static void check(Storage storage, long atLeast, String... names) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Path> recordings = Stream.of(names).map(TestData::file).toList();
        RecordingCheck.Result result =
                RecordingCheck.run(
                        TestData.folder(),
                        storage,
                        TestData.nouns(),
                        recordings,
                        new PrintStream(out, true, StandardCharsets.UTF_8));
        assertEquals(0, result.mismatches(), () -> out.toString(StandardCharsets.UTF_8));
        assertTrue(result.comparisons() >= atLeast, result::toString);
    }
}
