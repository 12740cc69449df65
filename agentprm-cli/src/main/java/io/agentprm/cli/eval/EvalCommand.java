package io.agentprm.cli.eval;

import io.agentprm.cli.plugin.PluginOptions;
import io.agentprm.cli.run.CommandContexts;
import io.agentprm.cli.run.NamedRewardModel;
import io.agentprm.cli.run.Overrides;
import io.agentprm.cli.run.RunModels;
import io.agentprm.cli.version.Versions;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.config.ConfigOverrides;
import io.agentprm.core.eval.Measure;
import io.agentprm.core.pipeline.EvaluationConfig;
import io.agentprm.core.pipeline.EvaluationJob;
import io.agentprm.core.pipeline.EvaluationRun;
import io.agentprm.core.pipeline.RunConfig;
import io.agentprm.core.plugin.PluginDirectories;
import io.agentprm.core.run.RunDirectory;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Judges an agent of a run, or of model directories. */
@Command(
        name = "eval",
        description = {
            "Judge one agent: a policy of a run, alone or with a reward model at run time.",
            "What is not said is taken from the run's configuration, so that the result belongs to"
                    + " the same tasks and seeds as the run's own."
        })
public final class EvalCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "RUN",
            description = "Run directory, or a configuration file for --model.")
    private Path run;

    @Option(
            names = "--iteration",
            paramLabel = "I",
            description = "Policy pi-I of the run (default: the last).")
    private Optional<Integer> iteration = Optional.empty();

    @Option(
            names = "--model",
            paramLabel = "DIR",
            description = "Model directory of the policy, instead of the run's.")
    private Optional<Path> model = Optional.empty();

    @Option(
            names = "--choose",
            paramLabel = "WAY",
            description =
                    "How decisions are chosen: best-of-n, majority-vote, random-choice (default:"
                            + " the bare policy).")
    private Optional<String> choose = Optional.empty();

    @Option(names = "--n", paramLabel = "N", description = "Candidates per turn.")
    private Optional<Integer> candidates = Optional.empty();

    @Option(
            names = "--reward-model",
            paramLabel = "J|DIR|{type: NAME, ...}",
            description =
                    "Reward model Q-J of the run, a model directory, or a reward model as 'agentprm"
                            + " plugins' lists it, with its settings (default: evaluation.judge, or"
                            + " else the one that the policy was improved with; Q-0 for pi-0). What"
                            + " scores of the run's and of directories mean, loop.prm says.")
    private Optional<String> rewardModel = Optional.empty();

    @Option(
            names = "--temperature",
            paramLabel = "T",
            description = "Sampling temperature, of the candidates where there are some.")
    private Optional<Double> temperature = Optional.empty();

    @Option(names = "--split", paramLabel = "SPLIT", description = "Split of the tasks.")
    private Optional<String> split = Optional.empty();

    @Option(
            names = "--tasks",
            paramLabel = "NUMBER",
            description = "Number of tasks, drawn by the seed; 0 takes all.")
    private Optional<Integer> tasks = Optional.empty();

    @Option(names = "--episodes", paramLabel = "NUMBER", description = "Episodes of each task.")
    private Optional<Integer> episodes = Optional.empty();

    @Option(names = "--seed", paramLabel = "SEED", description = "Seed of tasks and episodes.")
    private Optional<Long> seed = Optional.empty();

    @Mixin private Overrides overrides;

    @Mixin private PluginOptions plugins = new PluginOptions();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where report and trajectories go (default: evaluations/ in the run).")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--compare",
            paramLabel = "DIR",
            description =
                    "Directory of another evaluation: prints the difference, paired by task and"
                            + " seed.")
    private Optional<Path> other = Optional.empty();

    @Override
    public void run() {
        PrintWriter screen = spec.commandLine().getOut();
        requireChoice();
        // Read first: a wrong directory is found before anything is played.
        Optional<EvaluationRun.Judged> baseline = other.map(EvaluationRun::read);
        EvaluationJob job = job();
        Path directory = out.orElseGet(() -> directory(job));
        boolean finished = Files.exists(directory.resolve(EvaluationRun.REPORT));
        EvaluationRun.Judged judged = judge(job, directory);
        EvaluationText.print(screen, judged.report());
        screen.println("Evaluation: " + directory);
        if (finished) {
            // Models are known by their place, not by their content.
            screen.println(
                    "It was there already and nothing was played; if the model has changed since,"
                            + " choose another --out");
        }
        baseline.ifPresent(theirs -> compare(screen, judged, theirs));
    }

    private EvaluationRun.Judged judge(EvaluationJob job, Path directory) {
        try (PluginDirectories directories = plugins.open()) {
            return CommandContexts.stoppable(
                    spec.commandLine().getErr(),
                    CommandContexts.CHECKPOINTS,
                    contexts ->
                            new EvaluationRun(directories.discover(), contexts, Versions.recorded())
                                    .run(job, directory));
        }
    }

    private static void compare(
            PrintWriter screen, EvaluationRun.Judged ours, EvaluationRun.Judged theirs) {
        ours.report()
                .differences(theirs.report())
                .forEach(line -> screen.println("warning: " + line));
        compare(screen, ours, theirs, Measure.SUCCESS);
        if (Measure.graded(ours.episodes()) || Measure.graded(theirs.episodes())) {
            compare(screen, ours, theirs, Measure.SCORE);
        }
    }

    private static void compare(
            PrintWriter screen,
            EvaluationRun.Judged ours,
            EvaluationRun.Judged theirs,
            Measure measure) {
        EvaluationText.print(
                screen,
                ours.report().setup().agent(),
                theirs.report().setup().agent(),
                measure,
                EvaluationRun.compare(ours, theirs, measure));
    }

    /** Without a way of choosing, what only choosing asks for would go unnoticed. */
    private void requireChoice() {
        if (candidates.isPresent() && candidates.get() < 1) {
            throw new RunException("--n is " + candidates.get() + "; it must be at least 1");
        }
        if (choose.isPresent()) {
            return;
        }
        String useless =
                candidates.isPresent() ? "--n" : rewardModel.isPresent() ? "--reward-model" : "";
        if (!useless.isEmpty()) {
            throw new RunException(
                    useless
                            + " has no effect on the bare policy; say how its candidates are chosen,"
                            + " such as --choose best-of-n");
        }
    }

    private boolean ofDirectory() {
        return Files.isDirectory(run);
    }

    private EvaluationJob job() {
        ConfigNode node = ofDirectory() ? RunDirectory.config(run) : ConfigNode.read(run);
        RunConfig config =
                ConfigBinder.strict().bind(overrides.over(node, RunConfig.class), RunConfig.class);
        EvaluationConfig usual = config.evaluation();
        int number = model.isPresent() ? 0 : iteration.orElseGet(this::lastPolicy);
        Optional<ComponentConfig> chooser = choose.map(way -> chooser(way, usual));
        Optional<ComponentConfig> named = chooser.flatMap(way -> namedJudge(usual));
        Optional<Path> judge =
                named.isPresent() ? Optional.empty() : chooser.flatMap(way -> judge(number));
        Path directory = model.orElseGet(() -> models().policy(number));
        try {
            return new EvaluationJob(
                    config.environment(),
                    config.engine(),
                    config.models(),
                    model.map(path -> path.getFileName().toString()).orElse("pi-" + number),
                    directory,
                    temperature.orElse(usual.temperature()),
                    chooser,
                    named,
                    judge.map(path -> judgeName(path, number)),
                    judge,
                    judge.map(path -> config.loop().prm()),
                    split.orElse(usual.split()),
                    tasks.orElse(usual.tasks()),
                    episodes.orElse(usual.episodes()),
                    seed.orElse(config.seed()),
                    config.workers());
        } catch (IllegalArgumentException e) {
            // Its keys are called as the options are.
            throw new RunException("--" + e.getMessage(), e);
        }
    }

    /** The run's own settings of this way, where it has some, and what the options say. */
    private ComponentConfig chooser(String way, EvaluationConfig usual) {
        ComponentConfig base =
                Stream.concat(Stream.of(usual.bestOfN()), usual.controls().stream())
                        .filter(known -> known.name().equals(way))
                        .findFirst()
                        .orElseGet(() -> ComponentConfig.of(way));
        List<String> changes = new ArrayList<>();
        candidates.ifPresent(n -> changes.add("n=" + n));
        temperature.ifPresent(t -> changes.add("temperature=" + t));
        return new ComponentConfig(way, ConfigOverrides.apply(base.settings(), changes));
    }

    private int lastPolicy() {
        if (!ofDirectory()) {
            throw new RunException(
                    run + " is no run directory: say with --model which policy is meant");
        }
        return models().lastPolicy();
    }

    private RunModels models() {
        return new RunModels(run);
    }

    /** What the option says goes before the configuration. */
    private Optional<ComponentConfig> namedJudge(EvaluationConfig usual) {
        return rewardModel.isPresent() ? NamedRewardModel.of(rewardModel.get()) : usual.judge();
    }

    /** The run's own is the default; only ways that ask for scores load it. */
    private Optional<Path> judge(int policy) {
        if (rewardModel.isPresent()) {
            String said = rewardModel.get();
            return Optional.of(
                    said.matches("[0-9]{1,6}")
                            ? models().rewardModel(Integer.parseInt(said))
                            : models().existing(Path.of(said), "reward model " + said));
        }
        return ofDirectory()
                ? Optional.of(models().rewardModel(Math.max(0, policy - 1)))
                : Optional.empty();
    }

    private String judgeName(Path path, int policy) {
        return rewardModel
                .map(said -> said.matches("[0-9]{1,6}") ? "Q-" + said : path.toString())
                .orElse("Q-" + Math.max(0, policy - 1));
    }

    private Path directory(EvaluationJob job) {
        if (!ofDirectory()) {
            throw new RunException("say with --out DIR where the evaluation goes");
        }
        List<String> name = new ArrayList<>(List.of(job.policy()));
        choose.ifPresent(name::add);
        candidates.ifPresent(n -> name.add("n" + n));
        temperature.ifPresent(t -> name.add("t" + t));
        name.add(job.split());
        tasks.ifPresent(t -> name.add(t + "-tasks"));
        episodes.ifPresent(e -> name.add(e + "-episodes"));
        name.add("seed-" + job.seed());
        return run.resolve("evaluations").resolve(String.join("_", name));
    }
}
