package io.agentprm.env.alfworld.household;

import java.util.Locale;

/**
 * One command of a plan, on ids.
 *
 * @param verb what to do
 * @param thing id of the object, empty for those that need none
 * @param receptacle id of the receptacle, empty for {@code USE}
 */
public record Step(Verb verb, String thing, String receptacle) {
    /** What the agent can do on its way to a goal, with its cost. */
    public enum Verb {
        GO(1),
        OPEN(1),
        TAKE(1),
        MOVE(1),
        CLEAN(5),
        HEAT(5),
        COOL(5),
        USE(5);

        private final int cost;

        Verb(int cost) {
            this.cost = cost;
        }

        public int cost() {
            return cost;
        }
    }

    /**
     * The command in displayed names.
     *
     * @param putting how the game says that an object is put somewhere: {@code move %s to %s} in
     *     current ones, {@code put %s in/on %s} in old ones
     */
    public String command(Names names, String putting) {
        return switch (verb) {
            case GO -> "go to " + names.name(receptacle);
            case OPEN -> "open " + names.name(receptacle);
            case TAKE -> "take " + names.name(thing) + " from " + names.name(receptacle);
            case MOVE ->
                    String.format(Locale.ROOT, putting, names.name(thing), names.name(receptacle));
            case CLEAN -> "clean " + names.name(thing) + " with " + names.name(receptacle);
            case HEAT -> "heat " + names.name(thing) + " with " + names.name(receptacle);
            case COOL -> "cool " + names.name(thing) + " with " + names.name(receptacle);
            case USE -> "use " + names.name(thing);
        };
    }
}
