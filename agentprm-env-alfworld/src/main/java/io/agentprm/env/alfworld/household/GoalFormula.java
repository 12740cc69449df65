package io.agentprm.env.alfworld.household;

import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.game.TaskType;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells from the formula of a goal which of the six kinds it is, and of what. */
final class GoalFormula {
    private static final Pattern OBJECT = typeIn("objecttype");
    private static final Pattern RECEPTACLE = typeIn("receptacletype");
    private static final Pattern LAMP =
            Pattern.compile("\\(objecttype (\\?\\S+) (\\w+)type\\) .*\\(istoggled \\1\\)");
    private static final Pattern HELD =
            Pattern.compile("\\(objecttype (\\?\\S+) (\\w+)type\\) .*\\(holds \\?\\S+ \\1\\)");

    private GoalFormula() {}

    private static Pattern typeIn(String predicate) {
        return Pattern.compile("\\(" + predicate + " \\?\\S+ (\\w+)type\\)");
    }

    static Goal read(String formula) {
        String text = formula.toLowerCase(Locale.ROOT);
        if (text.contains("(istoggled ")) {
            return new Goal(
                    TaskType.LOOK_AT_OBJ_IN_LIGHT,
                    find(HELD, 2, text, formula),
                    find(LAMP, 2, text, formula));
        }
        TaskType type = TaskType.PICK_AND_PLACE_SIMPLE;
        if (text.contains("(= ")) {
            type = TaskType.PICK_TWO_OBJ_AND_PLACE;
        } else if (text.contains("(isclean ")) {
            type = TaskType.PICK_CLEAN_THEN_PLACE_IN_RECEP;
        } else if (text.contains("(ishot ")) {
            type = TaskType.PICK_HEAT_THEN_PLACE_IN_RECEP;
        } else if (text.contains("(iscool ")) {
            type = TaskType.PICK_COOL_THEN_PLACE_IN_RECEP;
        }
        return new Goal(type, find(OBJECT, 1, text, formula), find(RECEPTACLE, 1, text, formula));
    }

    private static String find(Pattern pattern, int group, String text, String formula) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new AlfworldException(
                    "the goal has none of the six known shapes, so experts cannot plan for it: "
                            + formula);
        }
        return matcher.group(group);
    }
}
