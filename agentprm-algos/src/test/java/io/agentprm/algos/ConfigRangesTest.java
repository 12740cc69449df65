package io.agentprm.algos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.agentprm.algos.optim.OnlineDpoConfig;
import io.agentprm.algos.optim.SftConfig;
import io.agentprm.algos.reward.InversePrmConfig;
import io.agentprm.algos.reward.PrmConfig;
import io.agentprm.algos.target.TdGaeConfig;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConfigRangesTest {
    static Stream<Arguments> wrong() {
        return Stream.of(
                wrong("epochs must be at least 1, was 0", SftConfig.builder().epochs(0)::build),
                wrong(
                        "batch-tokens must be at least 0, was -1",
                        SftConfig.builder().batchTokens(-1)::build),
                wrong(
                        "learning-rate must be 0 or more, was NaN",
                        SftConfig.builder().learningRate(Double.NaN)::build),
                wrong("warmup must lie in [0, 1), was 1.0", SftConfig.builder().warmup(1)::build),
                wrong(
                        "batch-trajectories must be at least 1, was 0",
                        PrmConfig.builder().batchTrajectories(0)::build),
                wrong(
                        "hold-out must lie in [0, 1), was -0.1",
                        PrmConfig.builder().holdOut(-0.1)::build),
                wrong(
                        "progress-weight must be 0 or more, was -1.0",
                        PrmConfig.builder().progressWeight(-1)::build),
                wrong(
                        "lambda must lie in [0, 1], was 1.5",
                        () -> TdGaeConfig.defaults().withLambda(1.5)),
                wrong(
                        "gamma must lie in [0, 1], was NaN",
                        () -> TdGaeConfig.defaults().withGamma(Double.NaN)),
                wrong(
                        "score-penalty must be 0 or more, was -1.0",
                        InversePrmConfig.builder().scorePenalty(-1)::build),
                wrong(
                        "temperature must be 0 or more, was -1.0",
                        InversePrmConfig.builder().temperature(-1)::build),
                wrong(
                        "gamma must lie in [0, 1], was 2.0",
                        InversePrmConfig.builder().gamma(2)::build),
                wrong(
                        "max-gradient-norm must be above 0, was 0.0",
                        PrmConfig.builder().maxGradientNorm(0)::build),
                wrong(
                        "micro-batch-tokens must be at least 1, was 0",
                        OnlineDpoConfig.builder().microBatchTokens(0)::build),
                wrong(
                        "replies must be at least 2, was 1",
                        OnlineDpoConfig.builder().replies(1)::build),
                wrong(
                        "learning-rate must be 0 or more, was -1.0",
                        OnlineDpoConfig.builder().learningRate(-1)::build));
    }

    private static Arguments wrong(String complaint, Executable maker) {
        return arguments(complaint, maker);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrong")
    void valueOutOfRangeIsRefusedByItsKey(String complaint, Executable maker) {
        assertEquals(complaint, assertThrows(IllegalArgumentException.class, maker).getMessage());
    }
}
