package io.agentprm.env.alfworld.generator;

import io.agentprm.env.alfworld.AlfworldException;
import java.util.Arrays;
import java.util.Locale;

/** The three splits, named as in the released data. */
public enum Split {
    /** Games in training scenes. */
    TRAIN,
    /** Training scenes with new placements and goals. */
    VALID_SEEN,
    /** Scenes whose furniture occurs in no training scene. */
    VALID_UNSEEN;

    /** Name of the split's folder, such as {@code valid_unseen}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The split of that name.
     *
     * @throws AlfworldException if there is none; the message lists those that exist
     */
    public static Split of(String label) {
        return Arrays.stream(values())
                .filter(split -> split.label().equals(label))
                .findFirst()
                .orElseThrow(
                        () ->
                                new AlfworldException(
                                        "no split '"
                                                + label
                                                + "'; generated games have "
                                                + Arrays.stream(values())
                                                        .map(Split::label)
                                                        .toList()));
    }
}
