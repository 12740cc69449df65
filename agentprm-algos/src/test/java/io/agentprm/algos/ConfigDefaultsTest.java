package io.agentprm.algos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.agentprm.algos.optim.OnlineDpoConfig;
import io.agentprm.algos.optim.SftConfig;
import io.agentprm.algos.reward.InversePrmConfig;
import io.agentprm.algos.reward.PrmConfig;
import io.agentprm.algos.target.McConfig;
import io.agentprm.algos.target.TdGaeConfig;
import io.agentprm.api.config.Default;
import java.lang.reflect.RecordComponent;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConfigDefaultsTest {
    static Stream<Record> defaults() {
        return Stream.of(
                McConfig.defaults(),
                TdGaeConfig.defaults(),
                SftConfig.builder().build(),
                PrmConfig.builder().build(),
                InversePrmConfig.builder().build(),
                OnlineDpoConfig.builder().build());
    }

    @ParameterizedTest
    @MethodSource("defaults")
    void defaultsInCodeAreThoseOfFiles(Record configuration) throws ReflectiveOperationException {
        for (RecordComponent component : configuration.getClass().getRecordComponents()) {
            Object value = component.getAccessor().invoke(configuration);
            Default inFiles = component.getAnnotation(Default.class);
            if (inFiles == null) {
                assertEquals(Optional.empty(), value, component.getName());
            } else if (value instanceof Number number) {
                assertEquals(
                        Double.parseDouble(inFiles.value()),
                        number.doubleValue(),
                        component.getName());
            } else {
                assertEquals(
                        inFiles.value(),
                        value.toString().toLowerCase(Locale.ROOT).replace('_', '-'),
                        component.getName());
            }
        }
    }
}
