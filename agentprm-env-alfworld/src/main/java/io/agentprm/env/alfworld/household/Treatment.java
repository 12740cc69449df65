package io.agentprm.env.alfworld.household;

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
