package io.agentprm.env.webshop.python;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.webshop.TestData;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The random numbers are CPython's. */
class PythonRandomTest {
    @Test
    void seedOneGivesTheNumbersThatEveryPythonGives() {
        PythonRandom random = new PythonRandom(1);
        assertEquals(0.13436424411240122, random.random());
        assertEquals(0.8474337369372327, random.random());
    }

    @Test
    void everyMethodGivesWhatWasRecordedForEverySeed() {
        for (JsonNode vector : TestData.json("python_random.json").path("cases")) {
            long seed = vector.path("seed").longValue();
            String where = "seed " + seed;
            same(vector, "random_5", where, r(seed)::random);
            same(vector, "getrandbits32_5", where, bits(seed));
            PythonRandom uniform = r(seed);
            same(vector, "uniform_19.99_27.99_3", where, () -> uniform.uniform(19.99, 27.99));
            assertEquals(
                    numbers(vector.path("shuffle_range20")),
                    shuffled(seed, 20).stream().map(Integer::doubleValue).toList(),
                    where);
            assertEquals(
                    numbers(vector.path("shuffle_range6910_first10")),
                    shuffled(seed, 6910).stream().limit(10).map(Integer::doubleValue).toList(),
                    where);
            PythonRandom four = r(seed);
            for (JsonNode drawn : vector.path("sample_of_4_by_2_x5")) {
                assertEquals(
                        numbers(drawn), four.sample(List.of(20.0, 30.0, 40.0, 50.0), 2), where);
            }
            PythonRandom three = r(seed);
            for (JsonNode drawn : vector.path("sample_of_3_by_2_x3")) {
                assertEquals(numbers(drawn), three.sample(List.of(970.0, 980.0, 990.0), 2), where);
            }
            assertEquals(
                    vector.path("choices_lowercase_k10").asText(),
                    r(seed).choices("abcdefghijklmnopqrstuvwxyz", 10),
                    where);
        }
    }

    private static PythonRandom r(long seed) {
        return new PythonRandom(seed);
    }

    private static Supplier<Double> bits(long seed) {
        PythonRandom random = r(seed);
        return () -> (double) random.bits(32);
    }

    private static List<Integer> shuffled(long seed, int size) {
        int[] items = IntStream.range(0, size).toArray();
        r(seed).shuffle(items);
        return IntStream.of(items).boxed().toList();
    }

    private static void same(JsonNode vector, String name, String where, Supplier<Double> next) {
        List<Double> expected = numbers(vector.path(name));
        List<Double> actual = new ArrayList<>();
        expected.forEach(number -> actual.add(next.get()));
        assertEquals(expected, actual, where + ", " + name);
    }

    private static List<Double> numbers(JsonNode list) {
        List<Double> numbers = new ArrayList<>();
        list.forEach(number -> numbers.add(number.doubleValue()));
        return numbers;
    }
}
