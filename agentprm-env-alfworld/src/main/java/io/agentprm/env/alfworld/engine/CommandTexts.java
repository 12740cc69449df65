package io.agentprm.env.alfworld.engine;

/**
 * Texts of commands, made when first needed and then shared. Threads may race to make one; they
 * make equal strings, and strings are safe to publish, so either will do.
 */
final class CommandTexts {
    private static final Verb[] VERBS = Verb.values();

    private final CompiledWorld world;
    private final String[][] single = new String[VERBS.length][];
    private final String[][] paired = new String[VERBS.length][];

    CommandTexts(CompiledWorld world) {
        this.world = world;
    }

    /** Command on one thing. */
    String of(Verb verb, int thing) {
        String[] row = single[verb.ordinal()];
        if (row == null) {
            row = new String[Math.max(world.objectName.length, world.receptacleName.length)];
            single[verb.ordinal()] = row;
        }
        String text = row[thing];
        if (text == null) {
            text = prefix(verb) + name(verb, thing);
            row[thing] = text;
        }
        return text;
    }

    /** Command on an object and a receptacle, or on two objects for {@link Verb#SLICE}. */
    String of(Verb verb, int object, int other) {
        int width = verb == Verb.SLICE ? world.objectName.length : world.receptacleName.length;
        String[] row = paired[verb.ordinal()];
        if (row == null) {
            row = new String[world.objectName.length * width];
            paired[verb.ordinal()] = row;
        }
        String text = row[object * width + other];
        if (text == null) {
            String second =
                    verb == Verb.SLICE ? world.objectName[other] : world.receptacleName[other];
            text = prefix(verb) + world.objectName[object] + infix(verb) + second;
            row[object * width + other] = text;
        }
        return text;
    }

    private String name(Verb verb, int thing) {
        return verb == Verb.USE || verb == Verb.EXAMINE_OBJECT
                ? world.objectName[thing]
                : world.receptacleName[thing];
    }

    private String prefix(Verb verb) {
        return switch (verb) {
            case CLEAN -> "clean ";
            case CLOSE -> "close ";
            case COOL -> "cool ";
            case EXAMINE_RECEPTACLE, EXAMINE_OBJECT -> "examine ";
            case GO -> "go to ";
            case HEAT -> "heat ";
            case OPEN -> "open ";
            case PUT -> world.dialect.put;
            case SLICE -> "slice ";
            case TAKE -> "take ";
            case USE -> "use ";
            case HELP -> "help";
            case INVENTORY -> "inventory";
            case LOOK -> "look";
        };
    }

    private String infix(Verb verb) {
        return switch (verb) {
            case PUT -> world.dialect.putInto;
            case TAKE -> " from ";
            default -> " with ";
        };
    }
}
