package io.agentprm.cli.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RandomSource;
import io.agentprm.cli.game.Advisers;
import io.agentprm.cli.game.Recorder;
import io.agentprm.testkit.ScriptedRewardModel;
import io.agentprm.testkit.ToyEnvironment;
import io.agentprm.testkit.ToyMdp;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GameTest {
    private final StringWriter out = new StringWriter();

    @Test
    void actionsInWordsWinTheGame() {
        assertEquals(Game.Outcome.WON, play(Optional.empty(), "left\nopen\n"));
        assertTrue(out.toString().contains("Won after 2 actions (goal, reward 1.00)."), text());
    }

    @Test
    void numbersChooseFromTheListedActions() {
        // The hall lists left, right, open; opening it ends the game without a prize.
        assertEquals(Game.Outcome.LOST, play(Optional.empty(), "3\n"));
    }

    @Test
    void numberThatIsNotListedIsAskedForAgain() {
        assertEquals(Game.Outcome.LEFT, play(Optional.empty(), "9\nquit\n"));
        assertTrue(text().contains("There are 3 choices."));
    }

    @Test
    void judgeScoresEveryChoiceAndTheBestComesFirst() {
        RewardModel judge =
                ScriptedRewardModel.of(
                        (state, decision) ->
                                switch (decision.action().text()) {
                                    case "open" -> -2;
                                    case "left" -> 1;
                                    default -> 0;
                                });
        play(Optional.of(judge), "quit\n");
        int best = text().indexOf("1  0.731  left");
        int middle = text().indexOf("2  0.500  right");
        int worst = text().indexOf("3  0.119  open");
        assertTrue(best > 0 && best < middle && middle < worst, text());
    }

    @Test
    void invalidActionSaysSoAndCosts() {
        play(Optional.empty(), "dance\nleft\nopen\n");
        assertTrue(text().contains("(invalid: "), text());
        assertTrue(text().contains("after 3 actions"), text());
    }

    @Test
    void endOfInputLeavesTheGame() {
        assertEquals(Game.Outcome.LEFT, play(Optional.empty(), ""));
    }

    private Game.Outcome play(Optional<RewardModel> judge, String typed) {
        try (ToyEnvironment environment = ToyEnvironment.of(ToyMdp.house())) {
            return new Game(
                            environment,
                            new Advisers(judge, Optional.empty(), RandomSource.of(1)),
                            Recorder.none(),
                            new BufferedReader(new StringReader(typed)),
                            new PrintWriter(out, true))
                    .play(environment.tasks("train").get(0), 1, "me");
        }
    }

    private String text() {
        return out.toString();
    }
}
