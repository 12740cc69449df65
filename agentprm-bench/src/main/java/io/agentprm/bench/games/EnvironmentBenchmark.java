package io.agentprm.bench.games;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import java.util.List;
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
 * One thread that plays unseen games, one after the other, by random admissible actions through the
 * interface that rollouts use. Each step makes the observation's text and the list of admissible
 * actions.
 */
@State(Scope.Thread)
public class EnvironmentBenchmark {
    private final SplittableRandom random = new SplittableRandom(1);
    private Environment environment;
    private List<Task> tasks;
    private Session session;
    private List<String> admissible;
    private int next;

    /** Loads the games and starts the first episode. */
    @Setup
    public void load() {
        environment = GameData.open();
        tasks = environment.tasks(GameData.UNSEEN);
        session = environment.open();
        see(reset().observation());
    }

    /** Ends everything. */
    @TearDown
    public void close() {
        session.close();
        environment.close();
    }

    /** Starts an episode of the next game, which is loaded already. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public EpisodeStart reset() {
        next = (next + 1) % tasks.size();
        return session.reset(tasks.get(next), 1);
    }

    /** One action; at the end of an episode (won, or 50 actions) also the reset to the next. */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public void step(Blackhole hole) {
        String action = admissible.get(random.nextInt(admissible.size()));
        StepResult result = session.step(Action.text(action));
        hole.consume(result.observation().text());
        hole.consume(result);
        see(result.end().isPresent() ? reset().observation() : result.observation());
        hole.consume(admissible);
    }

    private void see(Observation observation) {
        admissible = observation.admissibleActions().orElseThrow();
    }
}
