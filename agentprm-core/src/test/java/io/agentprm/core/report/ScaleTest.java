package io.agentprm.core.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScaleTest {
    @Test
    void powersOfTwoStandAtEqualDistances() {
        Scale scale = Scale.covering(Axis.log2("N"), 1, 16, 0, 100, false);
        assertEquals(List.of(1.0, 2.0, 4.0, 8.0, 16.0), scale.ticks());
        assertEquals(25, scale.at(2), 1e-9);
        assertEquals(100, scale.at(16), 1e-9);
    }

    @Test
    void roomyLinearEndsOnTicksThatCoverTheValues() {
        Scale scale = Scale.covering(Axis.linear("loss"), .37, 2.31, 0, 100, true);
        assertTrue(scale.ticks().get(0) <= .37);
        assertTrue(scale.ticks().get(scale.ticks().size() - 1) >= 2.31);
        assertEquals(0, scale.at(scale.ticks().get(0)), 1e-9);
    }

    @Test
    void constantSeriesStandsInTheMiddle() {
        Scale scale = Scale.covering(Axis.linear("loss"), 3, 3, 0, 100, true);
        assertEquals(50, scale.at(3), 20);
    }

    @Test
    void integersHaveWholeTicks() {
        Scale scale = Scale.covering(Axis.integer("iteration"), 0, 3, 0, 100, false);
        assertEquals(List.of(0.0, 1.0, 2.0, 3.0), scale.ticks());
    }

    @Test
    void sharesGoFromNothingToAll() {
        Scale scale = Scale.covering(Axis.share("success"), .4, .6, 100, 0, true);
        assertEquals(100, scale.at(0), 1e-9);
        assertEquals(0, scale.at(1), 1e-9);
        assertEquals("60", scale.label(.6));
    }
}
