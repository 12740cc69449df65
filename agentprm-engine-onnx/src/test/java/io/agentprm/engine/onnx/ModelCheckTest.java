package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.lm.testing.SharedData;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against numbers that the real Hugging Face code wrote. */
class ModelCheckTest {
    private final StringBuilder report = new StringBuilder();

    private boolean check(String model, String expected, Optional<String> adapter) {
        return check(TestEngine.open(), model, expected, adapter);
    }

    private boolean check(
            OnnxEngine with, String model, String expected, Optional<String> adapter) {
        try (OnnxEngine engine = with) {
            return new ModelCheck(engine)
                    .run(
                            SharedData.require("hf/models/" + model),
                            SharedData.require("hf/expected/" + expected + ".json.gz"),
                            adapter.map(name -> SharedData.require("hf/adapters/" + name)),
                            report);
        }
    }

    private boolean reports(String block, String quantity) {
        return report.toString()
                .lines()
                .anyMatch(
                        l -> l.startsWith(block + " ") && l.contains(quantity) && l.endsWith("ok"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "llama32-tied",
                "llama32-tied-bf16",
                "llama32-shortrope",
                "llama-untied",
                "llama-untied-sharded-bf16",
                "qwen2-tied",
                "qwen3-tied"
            })
    void everyBlockIsWithinTolerance(String name) {
        everyBlock(TestEngine.open(), name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"llama32-tied", "llama-untied", "qwen2-tied", "qwen3-tied"})
    void everyBlockIsWithinToleranceWhereWeightsComeFirst(String name) {
        everyBlock(TestEngine.open(TestEngine.config(0, 64), 0), name);
    }

    private void everyBlock(OnnxEngine engine, String name) {
        assertTrue(check(engine, name, name, Optional.empty()), () -> name + "\n" + report);
        for (String block : new String[] {"forward", "batch"}) {
            assertTrue(reports(block, "logits"), report::toString);
            assertTrue(reports(block, "log-probabilities"), report::toString);
        }
        assertTrue(reports("greedy", "exact"), report::toString);
    }

    @Test
    void scoresOfAClassifierAreWithinTolerance() {
        assertTrue(check("llama-seqcls", "llama-seqcls", Optional.empty()), report::toString);
        assertTrue(reports("right_padded", "logits"), report::toString);
        assertTrue(reports("left_padded", "logits"), report::toString);
    }

    @Test
    void anAdapterIsWithinTolerance() {
        Optional<String> adapter = Optional.of("llama32-tied-lora");
        assertTrue(check("llama32-tied", "llama32-tied-lora", adapter), report::toString);
        assertTrue(reports("greedy", "exact"), report::toString);
    }

    @Test
    void numbersOfAnotherModelFail() {
        assertFalse(check("llama32-tied-bf16", "llama32-tied", Optional.empty()));
        assertTrue(report.toString().contains("EXCEEDED"), report::toString);
    }

    @Test
    void forgettingTheAdapterFails() {
        assertFalse(check("llama32-tied", "llama32-tied-lora", Optional.empty()));
        assertTrue(report.toString().contains("name its directory"), report::toString);
    }

    @Test
    void trainingIsReportedAsNotChecked() {
        assertTrue(check("llama32-tied", "llama32-tied", Optional.empty()), report::toString);
        assertTrue(report.toString().contains("does not train"), report::toString);
    }
}
