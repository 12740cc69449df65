package io.agentprm.cli.play;

import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.cli.game.Advice;
import io.agentprm.cli.game.Advisers;
import io.agentprm.cli.game.Attempt;
import io.agentprm.cli.game.Choice;
import io.agentprm.cli.game.Recorder;
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
    private final Advisers advisers;
    private final Recorder recorder;
    private final BufferedReader in;
    private final PrintWriter out;

    Game(
            Environment environment,
            Advisers advisers,
            Recorder recorder,
            BufferedReader in,
            PrintWriter out) {
        this.environment = environment;
        this.advisers = advisers;
        this.recorder = recorder;
        this.in = in;
        this.out = out;
    }

    Outcome play(Task task, long seed, String player) {
        try (Attempt attempt =
                Attempt.start(environment, task, recorder.nextAttempt(task), seed, player)) {
            out.println("Task: " + attempt.state().instruction());
            try {
                return play(attempt);
            } finally {
                advisers.release(attempt.id());
            }
        }
    }

    private Outcome play(Attempt attempt) {
        while (attempt.finished().isEmpty()) {
            State state = attempt.state();
            out.println();
            out.println(state.observation().text());
            Advice advice = advisers.on(state, attempt.id());
            List<Choice> choices = advice.ranked();
            print(choices);
            advice.trouble().ifPresent(trouble -> out.println("(" + trouble + ")"));
            Optional<String> answer = ask(choices);
            if (answer.isEmpty()) {
                out.println("Left after " + state.turn() + " actions.");
                return Outcome.LEFT;
            }
            StepResult result = attempt.act(answer.get());
            if (result.feedback() instanceof ActionFeedback.Invalid invalid) {
                out.println("(invalid: " + invalid.reason() + ")");
            }
        }
        Trajectory finished = attempt.finished().get();
        out.println();
        out.println(finished.finalObservation().text());
        Outcome outcome = ended((EpisodeEnd.Terminated) finished.end(), finished.length());
        recorder.record(finished);
        return outcome;
    }

    private void print(List<Choice> choices) {
        int width = Integer.toString(choices.size()).length();
        for (int i = 0; i < choices.size(); i++) {
            String score = choices.get(i).scoreText();
            out.printf(
                    Locale.ROOT,
                    "  %" + width + "d  %s%s%s%n",
                    i + 1,
                    score.isEmpty() ? "" : score + "  ",
                    choices.get(i).action(),
                    choices.get(i).proposed() ? "  (proposed)" : "");
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
