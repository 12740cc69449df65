package io.agentprm.core.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class HistogramTest {
    @Test
    void edgesAndOutliersAreCounted() {
        double[] values = {-3, 0, .49, .5, 1, 9};
        assertEquals(List.of(3L, 3L), Histogram.Group.of("g", values, 0, 1, 2).counts());
    }

    @Test
    void groupsWithDifferentBinsAreRefused() {
        List<Histogram.Group> groups =
                List.of(
                        new Histogram.Group("a", List.of(1L)),
                        new Histogram.Group("b", List.of(1L, 2L)));
        assertThrows(
                IllegalArgumentException.class, () -> new Histogram("t", "", "x", 0, 1, groups));
    }
}
