package io.agentprm.env.alfworld.generator;

import io.agentprm.env.alfworld.game.TaskType;
import java.util.Locale;

/** Writes goals in the shapes of the released games. */
final class GoalText {
    private static final String DELIVERED =
            "(exists (?r - receptacle ?o - object) (and"
                    + " (objectType ?o %1$sType) (receptacleType ?r %2$sType) (inReceptacle ?o ?r)))";
    private static final String TREATED =
            "(exists (?r - receptacle ?o - object) (and"
                    + " (%3$s ?o) (objectType ?o %1$sType) (receptacleType ?r %2$sType)"
                    + " (%4$s ?o) (inReceptacle ?o ?r)))";
    private static final String BOTH =
            "(exists (?r - receptacle ?o1 - object) (and"
                    + " (objectType ?o1 %1$sType) (receptacleType ?r %2$sType) (inReceptacle ?o1 ?r)"
                    + " (exists (?o2 - object) (and (not (= ?o1 ?o2))"
                    + " (objectType ?o2 %1$sType) (receptacleType ?r %2$sType)"
                    + " (inReceptacle ?o2 ?r)))))";
    private static final String LIT =
            "(and (exists (?ot - object ?r - receptacle ?a - agent ?l - location) (and"
                    + " (objectType ?ot %2$sType) (toggleable ?ot) (isToggled ?ot)"
                    + " (receptacleAtLocation ?r ?l) (atLocation ?a ?l) (inReceptacle ?ot ?r)))"
                    + " (exists (?o - object ?a - agent) (and (objectType ?o %1$sType)"
                    + " (holds ?a ?o))))";

    private GoalText() {}

    static String write(TaskType type, GoalPair pair) {
        return switch (type) {
            case PICK_AND_PLACE_SIMPLE -> format(DELIVERED, pair, "", "");
            case LOOK_AT_OBJ_IN_LIGHT -> format(LIT, pair, "", "");
            case PICK_CLEAN_THEN_PLACE_IN_RECEP -> format(TREATED, pair, "cleanable", "isClean");
            case PICK_HEAT_THEN_PLACE_IN_RECEP -> format(TREATED, pair, "heatable", "isHot");
            case PICK_COOL_THEN_PLACE_IN_RECEP -> format(TREATED, pair, "coolable", "isCool");
            case PICK_TWO_OBJ_AND_PLACE -> format(BOTH, pair, "", "");
        };
    }

    private static String format(String goal, GoalPair pair, String affordance, String result) {
        return String.format(Locale.ROOT, goal, pair.object(), pair.place(), affordance, result);
    }
}
