package io.agentprm.bench.games;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RunContext;
import io.agentprm.bench.measure.CpuClock;
import io.agentprm.bench.measure.Heap;
import io.agentprm.bench.measure.Machine;
import io.agentprm.bench.measure.Timing;
import io.agentprm.env.webshop.generator.CatalogGenerator;
import io.agentprm.env.webshop.generator.CatalogWriter;
import io.agentprm.env.webshop.generator.GeneratorOptions;
import io.agentprm.env.webshop.suite.Storage;
import io.agentprm.env.webshop.suite.WebshopConfig;
import io.agentprm.env.webshop.suite.WebshopEnvironment;
import io.agentprm.env.webshop.suite.WebshopProvider;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A shop with as many products as the original's full catalogue: writing its files, indexing them,
 * opening the index again, searching by whole instructions, and seats that are open at once.
 */
@Command(
        name = "catalogue",
        description = "A shop of very many products on disk: files, index, searches, sessions.",
        mixinStandardHelpOptions = true)
public final class CatalogueBenchmark implements Runnable {
    private static final double MEGABYTE = 1 << 20;

    @Spec private CommandSpec spec;

    @Option(
            names = "--folder",
            required = true,
            description = "Gets the files and the index; both are kept and found again.")
    private Path folder;

    @Option(
            names = "--products",
            defaultValue = "100000",
            description = "Number of products (default: ${DEFAULT-VALUE}).")
    private int products;

    @Option(
            names = "--searches",
            defaultValue = "5000",
            description = "Number of searches (default: ${DEFAULT-VALUE}).")
    private int searches;

    @Option(
            names = "--sessions",
            defaultValue = "10000",
            description = "Sessions that are open at once (default: ${DEFAULT-VALUE}).")
    private int sessions;

    private final CpuClock clock = new CpuClock();
    private final SplittableRandom random = new SplittableRandom(1);

    @Override
    public void run() {
        Path data = folder.resolve("products-" + products);
        if (!Files.exists(data)) {
            timed(
                    "files written",
                    () ->
                            CatalogWriter.write(
                                    new CatalogGenerator(new GeneratorOptions(1, products)), data));
        }
        long empty = Heap.used();
        try (Environment environment = open(data)) {
            timed("first opened", () -> environment.tasks("test").get(0));
        }
        try (Environment environment = open(data)) {
            timed("opened again", () -> environment.tasks("test").get(0));
            report("heap of the open shop: %.0f MB", (Heap.used() - empty) / MEGABYTE);
            report("%d tasks", environment.tasks("train").size());
            search(environment);
            hold(environment);
        }
        report("%s", Machine.load());
    }

    private Environment open(Path data) {
        WebshopConfig config =
                WebshopConfig.released(data)
                        .with(Storage.DISK, Optional.of(folder.resolve("index")));
        return new WebshopProvider().create(config, RunContext.ofSeed(1));
    }

    /** First pages for the instructions of tasks from all over the catalogue. */
    private void search(Environment environment) {
        List<Task> tasks = environment.tasks("train");
        try (Session session = environment.open()) {
            for (String round : List.of("first", "later")) {
                double[] wall = new double[searches];
                double[] cpu = new double[searches];
                for (int i = 0; i < searches; i++) {
                    Task task = tasks.get(random.nextInt(tasks.size()));
                    session.reset(task, 1);
                    Action action = searchFor(task);
                    long start = System.nanoTime();
                    long used = clock.ofThread();
                    session.step(action);
                    cpu[i] = (clock.ofThread() - used) / 1e6;
                    wall[i] = (System.nanoTime() - start) / 1e6;
                }
                report(
                        "%s searches: %s; by the thread's processor time %s",
                        round, spread(wall), spread(cpu));
            }
        }
    }

    private static String spread(double[] milliseconds) {
        double[] sorted = milliseconds.clone();
        Arrays.sort(sorted);
        return String.format(
                Locale.ROOT,
                "median %.2f ms, 99 %% within %.2f ms, longest %.2f ms",
                sorted[sorted.length / 2],
                sorted[(int) (sorted.length * 0.99)],
                sorted[sorted.length - 1]);
    }

    private static Action searchFor(Task task) {
        return Action.text("search[" + task.attributes().get(WebshopEnvironment.INSTRUCTION) + "]");
    }

    /** Each on the page of a product that it found. */
    private void hold(Environment environment) {
        List<Task> tasks = environment.tasks("train");
        long before = Heap.used();
        List<Session> open = new ArrayList<>();
        for (int i = 0; i < sessions; i++) {
            Task task = tasks.get(random.nextInt(tasks.size()));
            Session session = environment.open();
            session.reset(task, i);
            List<String> clicks =
                    session.step(searchFor(task)).observation().admissibleActions().orElseThrow();
            session.step(Action.text(clicks.get(clicks.size() - 1)));
            open.add(session);
        }
        report(
                "%d open sessions: %.2f kB of heap each",
                sessions, (Heap.used() - before) / 1024.0 / sessions);
        open.forEach(Session::close);
    }

    private void timed(String what, Runnable work) {
        Timing timing = Timing.of(clock, work);
        report(
                "%s in %.1f s (processor time %.1f s, %s)",
                what, timing.wall(), timing.cpu(), Machine.load());
    }

    private void report(String format, Object... values) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf(Locale.ROOT, format + "%n", values);
        out.flush();
    }
}
