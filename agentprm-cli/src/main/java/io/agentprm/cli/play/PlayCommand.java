package io.agentprm.cli.play;

import io.agentprm.api.env.Environment;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RunContext;
import io.agentprm.cli.game.Advisers;
import io.agentprm.cli.game.Playground;
import io.agentprm.cli.game.Recorder;
import io.agentprm.cli.game.TaskChoice;
import io.agentprm.cli.plugin.PluginOptions;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.config.ConfigOverrides;
import io.agentprm.core.context.StopSignal;
import io.agentprm.core.plugin.ComponentFactory;
import io.agentprm.core.plugin.PluginDirectories;
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

/** A person plays a task of an environment, in the terminal or in a browser. */
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

    @Mixin private AdviserOptions advisers = new AdviserOptions();

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description =
                    "File (.jsonl.gz) that finished episodes are added to: demonstrations for"
                            + " 'agentprm run', trajectories for 'agentprm train-prm'.")
    private Optional<Path> record = Optional.empty();

    @Option(
            names = "--player",
            defaultValue = "person",
            paramLabel = "NAME",
            description = "Who plays, for the record (default: person).")
    private String player;

    /** Filled if the page is asked for; picocli leaves it out otherwise. */
    @ArgGroup(exclusive = false)
    private WebOptions web;

    private final Reader terminal;
    private final StopSignal stop;

    /** Reads what the person types from standard input. */
    public PlayCommand() {
        this(new InputStreamReader(System.in, Charset.defaultCharset()), new StopSignal());
    }

    PlayCommand(Reader terminal, StopSignal stop) {
        this.terminal = terminal;
        this.stop = stop;
    }

    @Override
    public void run() {
        try (PluginDirectories directories = plugins.open()) {
            play(new ComponentFactory(directories.discover()), spec.commandLine().getOut());
        }
    }

    private void play(ComponentFactory factory, PrintWriter out) {
        RunContext context = RunContext.ofSeed(seed);
        ComponentConfig config =
                source.run
                        .map(run -> PlayedRun.of(run).environment())
                        .orElseGet(() -> ComponentConfig.of(source.environment.orElseThrow()));
        ComponentConfig changed =
                new ComponentConfig(
                        config.name(), ConfigOverrides.apply(config.settings(), settings));
        try (Environment opened = factory.environment(changed, context)) {
            TaskChoice first = TaskChoice.of(opened, split, task);
            try (Advisers asked =
                            advisers.open(
                                    factory,
                                    opened,
                                    source.run.map(PlayedRun::lastRewardModel),
                                    context);
                    Recorder recorder = record.map(Recorder::to).orElseGet(Recorder::none)) {
                play(new Playground(opened, asked, recorder, first, seed, player), out);
            }
        }
    }

    private void play(Playground playground, PrintWriter out) {
        if (web != null) {
            web.serve(playground, stop, out);
            return;
        }
        String who = playground.advisers().inWords();
        if (!who.isEmpty()) {
            out.println(who);
        }
        Task chosen = playground.first().task();
        out.println(chosen + " (" + chosen.category() + ")");
        new Game(
                        playground.environment(),
                        playground.advisers(),
                        playground.recorder(),
                        new BufferedReader(terminal),
                        out)
                .play(chosen, seed, player);
        if (!playground.recorder().inWords().isEmpty()) {
            out.println("Recorded: " + playground.recorder().inWords() + ".");
        }
    }
}
