package io.agentprm.cli.play;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.core.RunException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One episode played by a person. */
final class Game {
    /** How a game was left. */
    enum Outcome {
        WON,
        LOST,
        LEFT
    }

    private final Environment environment;
    private final Optional<RewardModel> judge;
    private final BufferedReader in;
    private final PrintWriter out;

    Game(Environment environment, Optional<RewardModel> judge, BufferedReader in, PrintWriter out) {
        this.environment = environment;
        this.judge = judge;
        this.in = in;
        this.out = out;
    }

    Outcome play(Task task, long seed) {
        EpisodeId episode = new EpisodeId(task.id(), 0);
        try (Session session = environment.open()) {
            EpisodeStart start = session.reset(task, seed);
            out.println("Task: " + start.instruction());
            State state = State.initial(task, start);
            while (true) {
                out.println();
                out.println(state.observation().text());
                List<Choice> choices = Choice.of(state, episode, judge);
                print(choices);
                Optional<String> answer = ask(choices);
                if (answer.isEmpty()) {
                    out.println("Left after " + state.turn() + " actions.");
                    return Outcome.LEFT;
                }
                StepResult result = session.step(Action.text(answer.get()));
                if (result.feedback() instanceof ActionFeedback.Invalid invalid) {
                    out.println("(invalid: " + invalid.reason() + ")");
                }
                state = state.next(Decision.of(answer.get()), result.observation());
                if (result.end().isPresent()) {
                    out.println();
                    out.println(result.observation().text());
                    return ended(result.end().get(), state.turn());
                }
            }
        } finally {
            judge.ifPresent(j -> j.release(episode));
        }
    }

    private void print(List<Choice> choices) {
        int width = Integer.toString(choices.size()).length();
        for (int i = 0; i < choices.size(); i++) {
            String score = choices.get(i).scoreText(judge);
            out.printf(
                    Locale.ROOT,
                    "  %" + width + "d  %s%s%n",
                    i + 1,
                    score.isEmpty() ? "" : score + "  ",
                    choices.get(i).action());
        }
    }

    /** The action typed, by number or in words; empty for quit or the end of the input. */
    private Optional<String> ask(List<Choice> choices) {
        while (true) {
            out.print(choices.isEmpty() ? "action or quit> " : "number, action or quit> ");
            out.flush();
            String line = readLine();
            if (line == null || line.strip().equals("quit")) {
                return Optional.empty();
            }
            String answer = line.strip();
            if (choices.isEmpty() || !answer.matches("[0-9]{1,6}")) {
                if (!answer.isEmpty()) {
                    return Optional.of(answer);
                }
                continue;
            }
            int number = Integer.parseInt(answer);
            if (number >= 1 && number <= choices.size()) {
                return Optional.of(choices.get(number - 1).action());
            }
            out.println("There are " + choices.size() + " choices.");
        }
    }

    private Outcome ended(EpisodeEnd.Terminated end, int actions) {
        String reason = end.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        out.printf(
                Locale.ROOT,
                "%s after %d actions (%s, reward %.2f).%n",
                end.success() ? "Won" : "Lost",
                actions,
                reason,
                end.outcome());
        return end.success() ? Outcome.WON : Outcome.LOST;
    }

    private String readLine() {
        try {
            return in.readLine();
        } catch (IOException e) {
            throw new RunException("cannot read the terminal: " + e.getMessage(), e);
        }
    }
}
