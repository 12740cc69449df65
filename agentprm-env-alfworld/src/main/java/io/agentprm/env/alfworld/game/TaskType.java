package io.agentprm.env.alfworld.game;

import io.agentprm.env.alfworld.AlfworldException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The six kinds of household tasks, in the order of their usual numbers 1 to 6. */
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

    /**
     * The type of that label.
     *
     * @param where names the place of the label in the error
     */
    static TaskType of(String label, String where) {
        return Arrays.stream(values())
                .filter(type -> type.label().equals(label))
                .findFirst()
                .orElseThrow(
                        () ->
                                new AlfworldException(
                                        where
                                                + ": unknown task type '"
                                                + label
                                                + "'; known are "
                                                + Arrays.stream(values())
                                                        .map(TaskType::label)
                                                        .collect(Collectors.joining(", "))));
    }
}
