package io.agentprm.env.alfworld.household;

import java.util.Locale;
import java.util.Optional;

/** The six kinds of tasks. */
public enum TaskType {
    PICK_AND_PLACE_SIMPLE,
    LOOK_AT_OBJ_IN_LIGHT,
    PICK_CLEAN_THEN_PLACE_IN_RECEP,
    PICK_HEAT_THEN_PLACE_IN_RECEP,
    PICK_COOL_THEN_PLACE_IN_RECEP,
    PICK_TWO_OBJ_AND_PLACE;

    /** Name in folder names and results, such as {@code pick_and_place_simple}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What must be done to the object before it is put away. */
    public Optional<Treatment> treatment() {
        return switch (this) {
            case PICK_CLEAN_THEN_PLACE_IN_RECEP -> Optional.of(Treatment.CLEAN);
            case PICK_HEAT_THEN_PLACE_IN_RECEP -> Optional.of(Treatment.HEAT);
            case PICK_COOL_THEN_PLACE_IN_RECEP -> Optional.of(Treatment.COOL);
            default -> Optional.empty();
        };
    }
}
