package io.agentprm.cli.play;

import io.agentprm.api.env.Environment;
import io.agentprm.api.env.Task;
import io.agentprm.api.lm.AgentModels;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RunContext;
import io.agentprm.cli.plugin.PluginOptions;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.config.ConfigOverrides;
import io.agentprm.core.pipeline.ScaledRewardModel;
import io.agentprm.core.plugin.ComponentFactory;
import io.agentprm.core.plugin.PluginDirectories;
import io.agentprm.core.plugin.RunComponents;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A person plays a task of an environment in the terminal. */
@Command(name = "play", description = "Play a task of an environment yourself.")
public final class PlayCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Mixin private PluginOptions plugins = new PluginOptions();

    @ArgGroup(multiplicity = "1")
    private Source source;

    /** What is played. */
    static final class Source {
        @Option(
                names = "--environment",
                paramLabel = "NAME",
                description = "Environment, as 'agentprm plugins' lists it.")
        private Optional<String> environment = Optional.empty();

        @Option(
                names = "--run",
                paramLabel = "DIR",
                description =
                        "Run directory: plays its environment and shows what its last reward model"
                                + " thinks of each choice.")
        private Optional<Path> run = Optional.empty();
    }

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Setting of the environment; may be repeated.")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--split",
            paramLabel = "SPLIT",
            description = "Split of the task (default: the environment's first).")
    private Optional<String> split;

    @Option(
            names = "--task",
            defaultValue = "0",
            paramLabel = "TASK",
            description = "Number of the task in its split, from 0, or its id (default: 0).")
    private String task;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of the episode (default: 1).")
    private long seed;

    private final Reader terminal;

    /** Reads what the person types from standard input. */
    public PlayCommand() {
        this(new InputStreamReader(System.in, Charset.defaultCharset()));
    }

    PlayCommand(Reader terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        try (PluginDirectories directories = plugins.open()) {
            play(new ComponentFactory(directories.discover()), spec.commandLine().getOut());
        }
    }

    private void play(ComponentFactory factory, PrintWriter out) {
        RunContext context = RunContext.ofSeed(seed);
        Optional<PlayedRun> run = source.run.map(PlayedRun::of);
        ComponentConfig config =
                run.map(PlayedRun::environment)
                        .orElseGet(() -> ComponentConfig.of(source.environment.orElseThrow()));
        ComponentConfig changed =
                new ComponentConfig(
                        config.name(), ConfigOverrides.apply(config.settings(), settings));
        try (Environment opened = factory.environment(changed, context)) {
            if (run.isEmpty()) {
                play(opened, Optional.empty(), out);
                return;
            }
            AgentModels models = factory.agentModels(run.get().models(), context);
            Path model = PlayedRun.lastRewardModel(source.run.orElseThrow());
            try (InferenceEngine engine = factory.engine(run.get().engine(), context)) {
                RunComponents parts =
                        RunComponents.builder().environment(opened).engine(engine).build();
                RewardLearner learner =
                        factory.rewardLearner(run.get().loop().prm(), parts, context);
                try (RewardModel judge =
                        new ScaledRewardModel(
                                models.rewardModel("judge", engine.load(model)), learner.scale())) {
                    boolean probable = judge.probability(0).isPresent();
                    out.println(
                            (probable ? "Scores by " : "Scores, which are no probabilities, by ")
                                    + model);
                    play(opened, Optional.of(judge), out);
                }
            }
        }
    }

    private void play(Environment opened, Optional<RewardModel> judge, PrintWriter out) {
        Task chosen = task(opened);
        out.println(chosen + " (" + chosen.category() + ")");
        new Game(opened, judge, new BufferedReader(terminal), out).play(chosen, seed);
    }

    private Task task(Environment opened) {
        String from = split.orElseGet(() -> opened.splits().get(0));
        List<Task> tasks = opened.tasks(from);
        if (task.matches("[0-9]{1,9}") && Integer.parseInt(task) < tasks.size()) {
            return tasks.get(Integer.parseInt(task));
        }
        return tasks.stream()
                .filter(t -> t.id().equals(task))
                .findFirst()
                .orElseThrow(
                        () ->
                                new RunException(
                                        "there is no task '"
                                                + task
                                                + "' in split "
                                                + from
                                                + ", which has "
                                                + tasks.size()
                                                + " tasks, such as "
                                                + tasks.stream().limit(3).map(Task::id).toList()));
    }
}
