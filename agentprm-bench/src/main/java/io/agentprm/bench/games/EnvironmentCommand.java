package io.agentprm.bench.games;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs {@link EnvironmentBenchmark} under JMH. */
@Command(
        name = "environment",
        description = "Steps and resets of household games on one thread (JMH).",
        mixinStandardHelpOptions = true)
public final class EnvironmentCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Mixin private JmhSettings settings = new JmhSettings();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(GameData.describe());
        out.flush();
        settings.run(EnvironmentBenchmark.class, out);
    }
}
