package io.agentprm.env.alfworld.generator;

import java.util.Locale;

/** The four kinds of rooms. */
public enum RoomKind {
    KITCHEN,
    LIVINGROOM,
    BEDROOM,
    BATHROOM;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static RoomKind of(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT));
    }
}
