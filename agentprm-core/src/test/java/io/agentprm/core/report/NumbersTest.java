package io.agentprm.core.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void percentHasOneDigitAndNoNegativeZero() {
        assertEquals("64.9", Numbers.percent(.6493));
        assertEquals("0.0", Numbers.percent(-.0001));
        assertEquals("–", Numbers.percent(Double.NaN));
    }

    @Test
    void pointsCarryTheirSign() {
        assertEquals("+12.0", Numbers.points(.12));
        assertEquals("−3.5", Numbers.points(-.035));
        assertEquals("0.0", Numbers.points(.0001));
    }

    @Test
    void compactKeepsThreeDigits() {
        assertEquals("0", Numbers.compact(0));
        assertEquals("0.693", Numbers.compact(.69315));
        assertEquals("12.5", Numbers.compact(12.5));
        assertEquals("1200", Numbers.compact(1200));
        assertEquals("100", Numbers.compact(100));
        assertEquals("3e−5", Numbers.compact(3e-5));
        assertEquals("2.5e6", Numbers.compact(2.5e6));
    }

    @Test
    void coordinatesAreShort() {
        assertEquals("12.35", Numbers.coordinate(12.3456));
        assertEquals("100", Numbers.coordinate(100));
        assertEquals("0", Numbers.coordinate(-.001));
    }
}
