package io.agentprm.env.alfworld.household;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.agentprm.env.alfworld.game.TaskType;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GoalTest {
    @Test
    void everyWordingOfEveryTaskIsReadBack() {
        for (TaskType type : TaskType.values()) {
            Goal goal = new Goal(type, "ButterKnife", "SideTable");
            for (int wording = 0; wording < 2; wording++) {
                assertEquals(Optional.of(goal), Goal.parse(goal.sentence(wording)));
                String told = "Your task is to: " + goal.sentence(wording) + ".";
                assertEquals(Optional.of(goal), Goal.parse("You see nothing.\n\n" + told));
            }
        }
    }

    @Test
    void sentencesAreThoseOfTheReleasedGames() {
        assertEquals(
                "clean some mug and put it in desk",
                new Goal(TaskType.PICK_CLEAN_THEN_PLACE_IN_RECEP, "mug", "desk").sentence(1));
        assertEquals(
                "look at cd under the desklamp",
                new Goal(TaskType.LOOK_AT_OBJ_IN_LIGHT, "cd", "desklamp").sentence(0));
    }

    @Test
    void goalsInPeoplesWordsAreNotGuessed() {
        assertEquals(Optional.empty(), Goal.parse("Move the pillow from the bed to the chair."));
    }
}
