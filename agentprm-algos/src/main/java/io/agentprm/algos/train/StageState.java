package io.agentprm.algos.train;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.run.CancelledException;
import io.agentprm.api.run.Checkpoints;
import io.agentprm.api.run.RunContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a training stage remembers besides the model: steps done and its latest figures. Everything
 * else (order of data, random draws) derives from seed and step, so a resumed stage ends like an
 * undisturbed one.
 */
public final class StageState {
    private static final String MODEL = "model";
    private static final String FIGURES = "figures.txt";

    private final TrainableModel model;
    private final RunContext context;
    private final Map<String, Double> figures = new TreeMap<>();
    private long step;

    private StageState(TrainableModel model, RunContext context) {
        this.model = model;
        this.context = context;
    }

    /** The state of the newest checkpoint, which the model takes over; else the start. */
    public static StageState resume(TrainableModel model, RunContext context) {
        StageState state = new StageState(model, context);
        Optional<Checkpoints.Checkpoint> latest = context.checkpoints().latest();
        if (latest.isPresent()) {
            Path directory = latest.get().directory();
            model.restoreCheckpoint(directory.resolve(MODEL));
            state.read(directory.resolve(FIGURES));
            state.step = latest.get().step();
        }
        return state;
    }

    /** Steps done. */
    public long step() {
        return step;
    }

    /** Latest value of each figure. */
    public Map<String, Double> figures() {
        return figures;
    }

    /** Remembers a figure and records it at the current step. */
    public void record(String name, double value) {
        figures.put(name, value);
        context.metrics().record(name, step, value);
    }

    /** Adds to a figure that counts over the whole stage, and records the sum. */
    public void count(String name, double more) {
        record(name, figures.getOrDefault(name, 0.0) + more);
    }

    /**
     * Ends a step: saves a checkpoint if one is due or a stop is requested.
     *
     * @throws CancelledException if a stop is requested
     */
    public void endStep() {
        step++;
        boolean stop = context.cancellation().requested();
        if (stop || context.checkpoints().due()) {
            context.checkpoints().save(step, this::write);
        }
        if (stop) {
            throw new CancelledException(
                    "training stopped as asked after step "
                            + step
                            + "; run the same command again to continue");
        }
    }

    private void write(Path directory) {
        try {
            Files.createDirectories(directory.resolve(MODEL));
            List<String> lines = new ArrayList<>();
            figures.forEach((name, value) -> lines.add(name + "=" + value));
            Files.write(directory.resolve(FIGURES), lines, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AlgorithmException("cannot write a checkpoint into " + directory, e);
        }
        model.saveCheckpoint(directory.resolve(MODEL));
    }

    private void read(Path file) {
        try {
            for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
                int equals = line.lastIndexOf('=');
                figures.put(line.substring(0, equals), Double.valueOf(line.substring(equals + 1)));
            }
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
            throw new AlgorithmException(
                    "cannot read the checkpoint file "
                            + file
                            + "; delete its directory to start the stage again",
                    e);
        }
    }
}
