package io.agentprm.cli.play;

import io.agentprm.api.env.Environment;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RunContext;
import io.agentprm.cli.plugin.PluginDirectory;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.config.ConfigOverrides;
import io.agentprm.core.config.Location;
import io.agentprm.core.plugin.ComponentFactory;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A person plays a task of an environment in the terminal. */
@Command(name = "play", description = "Play a task of an environment yourself.")
public final class PlayCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Option(
            names = "--environment",
            required = true,
            paramLabel = "NAME",
            description = "Environment, as 'agentprm plugins' lists it.")
    private String environment;

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
        PrintWriter out = spec.commandLine().getOut();
        ComponentConfig config =
                new ComponentConfig(
                        environment,
                        ConfigOverrides.apply(
                                ConfigNode.empty(Location.of("command line")), settings));
        ComponentFactory factory = new ComponentFactory(PluginDirectory.installed().discover());
        try (Environment opened = factory.environment(config, RunContext.ofSeed(seed))) {
            Task chosen = task(opened);
            out.println(chosen + " (" + chosen.category() + ")");
            new Game(opened, Optional.empty(), new BufferedReader(terminal), out)
                    .play(chosen, seed);
        }
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
