package io.agentprm.core.report;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.trajectory.Candidate;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/** An invented report that uses every part of the page. Its numbers were measured nowhere. */
final class DemoReport {
    private static final List<String> CATEGORIES =
            List.of(
                    "look_at_obj_in_light",
                    "pick_and_place_simple",
                    "pick_clean_then_place_in_recep",
                    "pick_cool_then_place_in_recep",
                    "pick_heat_then_place_in_recep",
                    "pick_two_obj_and_place");

    private final SplittableRandom random = new SplittableRandom(7);

    static RunReport create() {
        return new DemoReport().build();
    }

    private RunReport build() {
        RunReport.Builder report =
                RunReport.builder("Invented run: household games")
                        .summary(
                                "Invented numbers that show the layout. Three iterations of"
                                        + " rollouts, Monte Carlo targets, a process reward model"
                                        + " and online DPO.")
                        .note("These numbers were made up by a test. They are not a result.");
        double[] policy = {.52, .63, .72, .77};
        double[] best = {.68, .76, .83, .85};
        for (int i = 0; i < 4; i++) {
            report.add(
                    new Iteration(
                            i,
                            List.of(
                                    evaluation("policy", "pi-" + i, policy[i], 17),
                                    evaluation(
                                            "best-of-16",
                                            "BoN(pi-" + i + ", Q-" + Math.min(i, 2) + ")",
                                            best[i],
                                            14),
                                    evaluation(
                                            "random choice",
                                            "random(pi-" + i + ")",
                                            policy[i] - .01,
                                            17),
                                    evaluation(
                                            "majority vote",
                                            "majority(pi-" + i + ")",
                                            policy[i] + .04,
                                            16))));
        }
        report.add(
                        new Comparison(
                                "pi-3",
                                "pi-0",
                                600,
                                new Estimate(.25, .205, .296),
                                Optional.empty()))
                .add(
                        new Comparison(
                                "BoN(pi-0, Q-0)",
                                "pi-0",
                                600,
                                new Estimate(.16, .118, .2),
                                Optional.empty()))
                .add(
                        new Comparison(
                                "BoN(pi-0, Q-0)",
                                "majority(pi-0)",
                                600,
                                new Estimate(.12, .079, .16),
                                Optional.empty()))
                .add(
                        new Comparison(
                                "random(pi-0)",
                                "pi-0",
                                600,
                                new Estimate(-.01, -.036, .017),
                                Optional.empty()));
        report.scaling(scaling());
        report.rewardHacking(hacking());
        report.training(noisy("SFT loss", "nats per token", 1200, 2.2, .35, 250))
                .training(noisy("PRM loss", "soft BCE", 800, .69, .42, 120))
                .training(noisy("DPO loss", "loss", 240, .693, .55, 90))
                .training(noisy("KL to the previous policy", "nats per turn", 240, 0, .12, 80));
        report.add(histogram("Targets", "Monte Carlo return-to-go", .3))
                .add(histogram("Scores", "predicted probability of success", .8))
                .add(calibration("Q-0 on held-out tasks"))
                .add(calibration("Q-2 on held-out tasks"));
        report.add(episode("BoN(pi-0, Q-0), first success", true))
                .add(episode("BoN(pi-0, Q-0), first failure", false));
        report.add(
                        new FactSheet(
                                "Reproduction",
                                List.of(
                                        new FactSheet.Fact("command", "agentprm run demo.yaml"),
                                        new FactSheet.Fact("seed", "1"),
                                        new FactSheet.Fact("split", "valid_unseen, 600 pairs"),
                                        new FactSheet.Fact("environment hash", "0f3a".repeat(16)))))
                .add(
                        new FactSheet(
                                "Machine",
                                List.of(
                                        new FactSheet.Fact("device", "cpu, 2 threads"),
                                        new FactSheet.Fact("java", "17.0.15"))));
        report.configuration(
                "environment:\n  name: household\nloop:\n  iterations: 3\n  candidates: 16\n");
        return report.build();
    }

    private Evaluation evaluation(String name, String agent, double rate, double actions) {
        List<CategoryResult> categories = new ArrayList<>();
        for (String category : CATEGORIES) {
            double r = Math.min(.97, rate + .3 * (random.nextDouble() - .5));
            categories.add(
                    new CategoryResult(
                            category,
                            100,
                            around(r, .09),
                            Optional.empty(),
                            actions + 6 * random.nextDouble() - 3));
        }
        return new Evaluation(
                name,
                agent,
                "temperature 0.7, constrained",
                600,
                around(rate, .04),
                Optional.empty(),
                actions,
                categories);
    }

    private static Estimate around(double rate, double half) {
        return new Estimate(rate, Math.max(0, rate - half), Math.min(1, rate + half * .95));
    }

    private static Plot scaling() {
        double[][] curves = {
            {.52, .59, .64, .67, .68}, {.52, .515, .522, .518, .51}, {.52, .52, .545, .555, .56}
        };
        String[] names = {"reward model", "random choice", "majority vote"};
        List<Series> series = new ArrayList<>();
        for (int s = 0; s < names.length; s++) {
            List<Series.Point> points = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                points.add(new Series.Point(1 << i, around(curves[s][i], .04)));
            }
            series.add(new Series(names[s], points));
        }
        return new Plot(
                "pi-0 with N candidates per turn",
                "Random choice and majority vote draw the same N candidates at the same"
                        + " temperature.",
                Axis.log2("candidates per turn, N"),
                Axis.share("success"),
                series);
    }

    private static Plot hacking() {
        double[] x = {0, 1, 2, 3, 4, 5, 6};
        return new Plot(
                "Mean PRM score and success",
                "Where the score rises and success does not, the policy exploits the reward model.",
                Axis.integer("thousand prompts"),
                Axis.share("share"),
                List.of(
                        Series.of("PRM score", x, new double[] {.5, .61, .7, .79, .86, .91, .94}),
                        Series.of("success", x, new double[] {.52, .6, .66, .69, .68, .64, .58})));
    }

    private Plot noisy(String title, String unit, int steps, double from, double to, double rate) {
        double[] x = new double[steps];
        double[] y = new double[steps];
        for (int i = 0; i < steps; i++) {
            x[i] = i;
            double mean = to + (from - to) * Math.exp(-i / rate);
            y[i] = i == steps / 2 ? Double.NaN : mean * (1 + .25 * (random.nextDouble() - .5));
        }
        return new Plot(
                title,
                "",
                Axis.linear("optimiser step"),
                Axis.linear(unit),
                List.of(Series.of("iteration 1", x, y)));
    }

    private Histogram histogram(String title, String label, double shape) {
        List<Histogram.Group> groups = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            double[] values = new double[9_000 + 500 * i];
            for (int j = 0; j < values.length; j++) {
                double u = random.nextDouble();
                values[j] =
                        random.nextDouble() < .4 + .1 * i
                                ? 1 - Math.pow(u, 1 / shape)
                                : Math.pow(u, 1 / shape);
            }
            groups.add(Histogram.Group.of("iteration " + i, values, 0, 1, 20));
        }
        return new Histogram(title, "", label, 0, 1, groups);
    }

    private Calibration calibration(String title) {
        List<Calibration.Bin> bins = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            double p = (i + .5) / 10;
            double observed = Math.max(.02, Math.min(.98, p + .1 * (random.nextDouble() - .5)));
            long count = 120 + Math.round(1500 * Math.abs(p - .5));
            bins.add(new Calibration.Bin(p, around(observed, .03), count));
        }
        return new Calibration(title, bins, .141, .028);
    }

    private SampleEpisode episode(String label, boolean success) {
        Task task = Task.of("layout-12/task-3" + (success ? "" : "b"), "valid_unseen", "pick_cool");
        Trajectory.Builder builder =
                Trajectory.builder(task, "put a cool mug in cabinet 2").policyId("BoN(pi-0, Q-0)");
        String[] actions = {
            "go to countertop 1",
            "take mug 2 from countertop 1",
            "go to fridge 1",
            "cool mug 2 with fridge 1",
            "go to cabinet 2",
            "put mug 2 in/on cabinet 2"
        };
        String seen =
                "You are in the middle of a room. Looking quickly around you, you see a cabinet 2, a"
                        + " countertop 1, a fridge 1 and a sink <basin> 1.";
        double value = .2;
        for (String action : actions) {
            value += success ? 1.1 : .15;
            List<Candidate> candidates =
                    List.of(
                            new Candidate(action, 9, OptionalDouble.of(value)),
                            new Candidate("look", 4, OptionalDouble.of(value - 1.2)),
                            new Candidate("go to fridge 1 ", 2, OptionalDouble.of(value - .4)),
                            new Candidate("open <b>fridge</b>", 1, OptionalDouble.empty()));
            Decision decision =
                    Decision.builder(Action.text(action))
                            .reason("The mug has to be cold before it goes to the cabinet.")
                            .candidates(candidates)
                            .build();
            ActionFeedback feedback =
                    action.startsWith("cool") && !success
                            ? new ActionFeedback.Invalid("not admissible here")
                            : new ActionFeedback.Valid();
            builder.add(Turn.of(Observation.text(seen), decision, feedback, 0));
            seen = "You " + action + ". Nothing else happens.";
        }
        return new SampleEpisode(
                label,
                ScoreScale.LOGIT,
                builder.end(
                        Observation.text(success ? "You won." : "Nothing happens."),
                        new EpisodeEnd.Terminated(
                                success ? EpisodeEnd.Reason.GOAL : EpisodeEnd.Reason.STEP_LIMIT,
                                success ? 1 : 0,
                                success)));
    }
}
