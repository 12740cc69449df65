package io.agentprm.env.alfworld.generator;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Draws ids of the released form: class and a position in metres for things, a grid cell, a
 * direction and a tilt for places. No id is drawn twice.
 */
final class Ids {
    private static final int REACH = 350;
    private static final int HEIGHT = 220;
    private static final String BASIN = "basin";

    private final Set<String> taken;
    private final RandomGenerator random;

    /** Ids that differ from those already taken. */
    Ids(Set<String> taken, RandomGenerator random) {
        this.taken = new HashSet<>(taken);
        this.random = random;
    }

    /** An id of a thing or receptacle; displayed class and numbering follow from it. */
    String instance(String type) {
        boolean basin = type.toLowerCase(Locale.ROOT).endsWith(BASIN);
        String owner = basin ? type.substring(0, type.length() - BASIN.length()) : type;
        String id;
        do {
            id =
                    owner
                            + "_bar_"
                            + metres(random.nextInt(-REACH, REACH))
                            + "_bar_"
                            + metres(random.nextInt(HEIGHT))
                            + "_bar_"
                            + metres(random.nextInt(-REACH, REACH))
                            + (basin ? "_bar_" + type : "");
        } while (!taken.add(id));
        return id;
    }

    /** An id of a place to stand. */
    String location() {
        String id;
        do {
            id =
                    "loc_bar_"
                            + number(random.nextInt(-12, 13))
                            + "_bar_"
                            + number(random.nextInt(-12, 13))
                            + "_bar_"
                            + random.nextInt(4)
                            + "_bar_"
                            + 15 * random.nextInt(5);
        } while (!taken.add(id));
        return id;
    }

    private static String metres(int hundredths) {
        int size = Math.abs(hundredths);
        return (hundredths < 0 ? "_minus_" : "_plus_")
                + String.format(Locale.ROOT, "%02d_dot_%02d", size / 100, size % 100);
    }

    private static String number(int value) {
        return value < 0 ? "_minus_" + -value : Integer.toString(value);
    }
}
