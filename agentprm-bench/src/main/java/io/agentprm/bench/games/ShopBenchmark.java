package io.agentprm.bench.games;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RunContext;
import io.agentprm.env.webshop.generator.GeneratorOptions;
import io.agentprm.env.webshop.suite.WebshopConfig;
import io.agentprm.env.webshop.suite.WebshopProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * One thread in a shop of a thousand products, through the interface that rollouts use: the
 * original's loop of random clicks, which searches wherever it can, and the same without going back
 * to search. Each step makes the observation's text and the list of clicks.
 */
@State(Scope.Thread)
public class ShopBenchmark {
    private static final String DATA = "WEBSHOP_DATA";
    private static final String SEARCH = "search[shoes]";
    private static final String LEAVE = "click[back to search]";
    private static final String BUY = "click[buy now]";
    private static final String BACK = "click[< prev]";

    private final SplittableRandom random = new SplittableRandom(1);
    private Environment environment;
    private List<Task> tasks;
    private Session session;
    private Optional<List<String>> clicks;
    private int next;

    /** Reads or makes the products and starts the first episode. */
    @Setup
    public void load() {
        environment = open();
        tasks = environment.tasks("test");
        session = environment.open();
        reset();
    }

    /** Ends everything. */
    @TearDown
    public void close() {
        session.close();
        environment.close();
    }

    /** An action of the original's loop; at the end of an episode (100 actions) also the reset. */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public void loopWithSearch(Blackhole hole) {
        String action = clicks.map(this::anyOf).orElse(SEARCH);
        see(session.step(Action.text(action)), hole);
    }

    /** The same without purchases and searches but the first. */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public void pageActions(Blackhole hole) {
        if (clicks.isEmpty()) {
            see(session.step(Action.text(SEARCH)), hole);
        }
        List<String> possible = clicks.orElseThrow();
        String action = anyOf(possible);
        if (action.equals(LEAVE) || action.equals(BUY) || possible.size() <= 3) {
            action = possible.contains(BACK) ? BACK : possible.get(possible.size() - 1);
        }
        see(session.step(Action.text(action)), hole);
    }

    /** From nothing to the first task: products, index, goals. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    public int opening() {
        try (Environment fresh = open()) {
            return fresh.tasks("test").size();
        }
    }

    private String anyOf(List<String> actions) {
        return actions.get(random.nextInt(actions.size()));
    }

    private void see(StepResult result, Blackhole hole) {
        hole.consume(result.observation().text());
        hole.consume(result);
        if (result.end().isPresent()) {
            reset();
        } else {
            clicks = result.observation().admissibleActions();
        }
        hole.consume(clicks);
    }

    private void reset() {
        next = (next + 1) % tasks.size();
        Observation start = session.reset(tasks.get(next), 1).observation();
        clicks = start.admissibleActions();
    }

    private static Environment open() {
        WebshopConfig config =
                released()
                        .map(WebshopConfig::released)
                        .orElseGet(() -> WebshopConfig.generated(GeneratorOptions.standard(1)));
        return new WebshopProvider().create(config.withStepLimit(100), RunContext.ofSeed(1));
    }

    static String describe() {
        return released().isPresent()
                ? "released products of $" + DATA
                : "generated products ($" + DATA + " is not set)";
    }

    private static Optional<Path> released() {
        return Optional.ofNullable(System.getenv(DATA)).map(Path::of);
    }
}
