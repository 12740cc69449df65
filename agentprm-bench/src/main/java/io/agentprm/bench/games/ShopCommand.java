package io.agentprm.bench.games;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs {@link ShopBenchmark} under JMH. */
@Command(
        name = "shop",
        description = "Steps in a shop of a thousand products on one thread, and opening it (JMH).",
        mixinStandardHelpOptions = true)
public final class ShopCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Mixin private JmhSettings settings = new JmhSettings();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(ShopBenchmark.describe());
        out.flush();
        settings.run(ShopBenchmark.class, out);
    }
}
