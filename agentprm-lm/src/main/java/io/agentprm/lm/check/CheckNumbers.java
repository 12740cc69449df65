package io.agentprm.lm.check;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Readings of the file of numbers. */
public final class CheckNumbers {
    private CheckNumbers() {}

    public static int[] ints(JsonNode array) {
        int[] out = new int[array.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = array.get(i).asInt();
        }
        return out;
    }

    /** Places of the ones of a mask. */
    public static int[] places(JsonNode mask) {
        int[] all = ints(mask);
        return IntStream.range(0, all.length).filter(i -> all[i] == 1).toArray();
    }

    /** The real tokens of a padded row: those whose mask is 1. */
    public static int[] real(JsonNode ids, JsonNode mask) {
        int[] all = ints(ids);
        return Arrays.stream(places(mask)).map(i -> all[i]).toArray();
    }

    /** The real tokens of all rows of a block. */
    public static List<int[]> rows(JsonNode block) {
        List<int[]> rows = new ArrayList<>();
        for (int r = 0; r < block.path("input_ids").size(); r++) {
            rows.add(real(block.path("input_ids").path(r), block.path("attention_mask").path(r)));
        }
        return rows;
    }
}
