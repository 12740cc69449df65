package io.agentprm.env.alfworld.household;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class NamesTest {
    @Test
    void numbersAreHandedOutFromTheTopInTheOrderOfIds() {
        Names names =
                Names.of(
                        List.of(
                                Atom.of("openable", "drawer_bar_b"),
                                Atom.of("openable", "drawer_bar_a"),
                                Atom.of("openable", "drawer_bar_c")));

        assertEquals("drawer 3", names.name("drawer_bar_a"));
        assertEquals("drawer 1", names.name("drawer_bar_c"));
    }

    @Test
    void basinsAreClassesOfTheirOwn() {
        assertEquals("sinkbasin", Names.className("sink_bar_1_bar_sinkbasin"));
        assertEquals("sink", Names.className("sink_bar_1"));
    }
}
