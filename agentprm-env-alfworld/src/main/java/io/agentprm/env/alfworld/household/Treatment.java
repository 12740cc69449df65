package io.agentprm.env.alfworld.household;

import io.agentprm.env.alfworld.game.TaskType;
import java.util.Optional;
import java.util.Set;

/** What can be done to a held object with the right receptacle. */
public enum Treatment {
    CLEAN("clean", "sinkbasin", "cleanable", "isclean"),
    HEAT("heat", "microwave", "heatable", "ishot"),
    COOL("cool", "fridge", "coolable", "iscool");

    private final String verb;
    private final String receptacle;
    private final String affordance;
    private final String result;

    Treatment(String verb, String receptacle, String affordance, String result) {
        this.verb = verb;
        this.receptacle = receptacle;
        this.affordance = affordance;
        this.result = result;
    }

    /** What tasks of that type ask for. */
    public static Optional<Treatment> of(TaskType type) {
        return switch (type) {
            case PICK_CLEAN_THEN_PLACE_IN_RECEP -> Optional.of(CLEAN);
            case PICK_HEAT_THEN_PLACE_IN_RECEP -> Optional.of(HEAT);
            case PICK_COOL_THEN_PLACE_IN_RECEP -> Optional.of(COOL);
            default -> Optional.empty();
        };
    }

    /** First word of the command. */
    public String verb() {
        return verb;
    }

    /** Class of the receptacle that does it. */
    public String receptacle() {
        return receptacle;
    }

    /** Predicate of objects that can be treated so, in lower case. */
    public String affordance() {
        return affordance;
    }

    /** Treatments whose result it takes away. */
    public Set<Treatment> undoes() {
        return switch (this) {
            case CLEAN -> Set.of();
            case HEAT -> Set.of(COOL);
            case COOL -> Set.of(HEAT);
        };
    }

    /** Predicate that holds afterwards, in lower case. */
    public String result() {
        return result;
    }
}
