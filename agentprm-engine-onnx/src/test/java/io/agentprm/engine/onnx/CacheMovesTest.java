package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.jna.Pointer;
import io.agentprm.lm.DeviceChoice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Both ways to move caches, the one for devices in memory that ONNX Runtime's allocator of the
 * processor gives: there is no GPU to test it on.
 */
class CacheMovesTest {
    private static final int PLANES = 2;
    private static final int HEADS = 2;
    private static final int SIZE = 3;

    private static CacheMoves moves(boolean graph) {
        if (graph) {
            OnnxRuntime runtime = OnnxRuntime.start(DeviceChoice.CPU, 1).withMemory("Cpu");
            return new GraphMoves(runtime.session(GraphMoves.graph()));
        }
        return new HostMoves(Device.host(CApi.load()));
    }

    private static CachePlanes planes(CacheMoves moves, int slots, int columns) {
        CachePlanes out = CachePlanes.of(moves.device(), PLANES, slots, HEADS, columns, SIZE);
        int length = slots * HEADS * columns * SIZE;
        for (int plane = 0; plane < PLANES; plane++) {
            for (int i = 0; i < length; i++) {
                readable(out, plane, 0).setFloat((long) i * Float.BYTES, 1000 * plane + i);
            }
        }
        return out;
    }

    private static float at(CachePlanes planes, int plane, int slot, int head, int column) {
        long index = ((long) head * planes.columns() + column) * SIZE;
        return readable(planes, plane, slot).getFloat(index * Float.BYTES);
    }

    /** The test reads what code for devices must not: here it is the processor's memory. */
    private static Pointer readable(CachePlanes planes, int plane, int slot) {
        return new Pointer(Pointer.nativeValue(planes.address(plane, slot)));
    }

    @Test
    void javaCanNeitherReadNorWriteMemoryOfADevice() {
        try (CacheMoves moves = moves(true);
                CachePlanes planes = planes(moves, 3, 4)) {
            Pointer address = planes.address(1, 2);
            assertThrows(UnsupportedOperationException.class, () -> address.getFloat(0));
            assertThrows(UnsupportedOperationException.class, () -> address.setFloat(0, 1));
            assertThrows(UnsupportedOperationException.class, () -> address.getByteBuffer(0, 4));
            assertThrows(
                    UnsupportedOperationException.class, () -> address.setMemory(0, 4, (byte) 0));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leadingColumnsOfASlotGoToAnotherWhateverTheirNumbersOfColumns(boolean graph) {
        try (CacheMoves moves = moves(graph);
                CachePlanes narrow = planes(moves, 3, 4);
                CachePlanes wide = planes(moves, 2, 7)) {
            float before = at(wide, 1, 0, 1, 2);
            moves.copy(narrow, 2, wide, 1, 3);
            for (int plane = 0; plane < PLANES; plane++) {
                for (int head = 0; head < HEADS; head++) {
                    for (int column = 0; column < 3; column++) {
                        assertEquals(
                                at(narrow, plane, 2, head, column),
                                at(wide, plane, 1, head, column));
                    }
                }
            }
            assertEquals(before, at(wide, 1, 0, 1, 2), "another slot has changed");
            moves.copy(wide, 0, narrow, 0, 4);
            assertEquals(at(wide, 1, 0, 1, 3), at(narrow, 1, 0, 1, 3));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatHasBeenCopiedStaysAndTheRestBecomesZero(boolean graph) {
        try (CacheMoves moves = moves(graph);
                CachePlanes narrow = planes(moves, 3, 4);
                CachePlanes wide = planes(moves, 2, 7)) {
            moves.copy(narrow, 2, wide, 1, 4);
            moves.zero(wide, 1, 4);
            for (int head = 0; head < HEADS; head++) {
                assertEquals(at(narrow, 1, 2, head, 3), at(wide, 1, 1, head, 3));
                assertEquals(0, at(wide, 1, 1, head, 4));
                assertEquals(0, at(wide, 1, 1, head, 6));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void columnsArePulledForwardWithinTheirSlotsAndOthersStay(boolean graph) {
        try (CacheMoves moves = moves(graph);
                CachePlanes planes = planes(moves, 3, 6);
                CachePlanes before = planes(moves, 3, 6)) {
            moves.pull(planes, new int[] {0, 2, 2}, new int[] {5, 2, 4}, new int[] {0, 1, 2});
            int[][] expected = {{5, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}, {0, 2, 4, 3, 4, 5}};
            for (int plane = 0; plane < PLANES; plane++) {
                for (int slot = 0; slot < expected.length; slot++) {
                    for (int head = 0; head < HEADS; head++) {
                        for (int column = 0; column < 6; column++) {
                            assertEquals(
                                    at(before, plane, slot, head, expected[slot][column]),
                                    at(planes, plane, slot, head, column));
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSlotBecomesZeroAndItsNeighboursStay(boolean graph) {
        try (CacheMoves moves = moves(graph);
                CachePlanes planes = planes(moves, 3, 4)) {
            float before = at(planes, 0, 0, 1, 3);
            float after = at(planes, 0, 2, 0, 0);
            moves.zero(planes, 1, 0);
            for (int plane = 0; plane < PLANES; plane++) {
                for (int head = 0; head < HEADS; head++) {
                    for (int column = 0; column < 4; column++) {
                        assertEquals(0, at(planes, plane, 1, head, column));
                    }
                }
            }
            assertEquals(before, at(planes, 0, 0, 1, 3));
            assertEquals(after, at(planes, 0, 2, 0, 0));
        }
    }
}
