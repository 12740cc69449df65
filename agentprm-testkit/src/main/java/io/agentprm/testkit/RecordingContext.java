package io.agentprm.testkit;

import io.agentprm.api.run.Cancellation;
import io.agentprm.api.run.Checkpoints;
import io.agentprm.api.run.Metrics;
import io.agentprm.api.run.Progress;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A run context for tests: keeps metrics, checkpoints and progress bars, and asks for a stop after
 * so many looks at its cancellation. Single-threaded.
 */
public final class RecordingContext implements RunContext {
    /** A progress bar and how far it came. */
    static final class Bar implements Progress {
        private final String label;
        private final long total;
        private long done;
        private boolean closed;

        private Bar(String label, long total) {
            this.label = label;
            this.total = total;
        }

        String label() {
            return label;
        }

        /** Number of units, or 0 if that was not known. */
        long total() {
            return total;
        }

        long done() {
            return done;
        }

        boolean closed() {
            return closed;
        }

        @Override
        public void advance(long units) {
            done += units;
        }

        @Override
        public void note(String remark) {}

        @Override
        public void close() {
            closed = true;
        }
    }

    private final RandomSource random;
    private final Path checkpointDirectory;
    private final Map<String, List<Double>> series = new TreeMap<>();
    private final List<Bar> bars = new ArrayList<>();
    private long looksUntilStop = Long.MAX_VALUE;

    private RecordingContext(long seed, Path checkpointDirectory) {
        this.random = RandomSource.of(seed);
        this.checkpointDirectory = checkpointDirectory;
    }

    /** A context that keeps its checkpoints in a directory, which may hold earlier ones. */
    public static RecordingContext of(long seed, Path checkpointDirectory) {
        return new RecordingContext(seed, checkpointDirectory);
    }

    /** Asks for a stop from the given look at the cancellation on, counted from 1. */
    public RecordingContext stoppingAtLook(long number) {
        looksUntilStop = number;
        return this;
    }

    /** Recorded values of a series, in the order of recording; empty if there are none. */
    public List<Double> series(String name) {
        return List.copyOf(series.getOrDefault(name, List.of()));
    }

    /** The last value of a series. */
    public double last(String name) {
        List<Double> values = series.get(name);
        if (values == null) {
            throw new TestkitException("no series '" + name + "'; there are " + series.keySet());
        }
        return values.get(values.size() - 1);
    }

    @Override
    public RandomSource random() {
        return random;
    }

    @Override
    public Clock clock() {
        return Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
    }

    @Override
    public Metrics metrics() {
        return (name, step, value) ->
                series.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
    }

    /** The progress bars that were opened, in order. */
    List<Bar> bars() {
        return List.copyOf(bars);
    }

    @Override
    public Progress progress(String label, long total) {
        Bar bar = new Bar(label, total);
        bars.add(bar);
        return bar;
    }

    @Override
    public Cancellation cancellation() {
        return () -> --looksUntilStop <= 0;
    }

    @Override
    public Checkpoints checkpoints() {
        return new Checkpoints() {
            @Override
            public Optional<Checkpoint> latest() {
                long newest = -1;
                try (var files = Files.list(checkpointDirectory)) {
                    newest =
                            files.mapToLong(file -> Long.parseLong(file.getFileName().toString()))
                                    .max()
                                    .orElse(-1);
                } catch (IOException e) {
                    throw new TestkitException("cannot list " + checkpointDirectory, e);
                }
                return newest < 0
                        ? Optional.empty()
                        : Optional.of(
                                new Checkpoint(
                                        checkpointDirectory.resolve(Long.toString(newest)),
                                        newest));
            }

            @Override
            public boolean due() {
                return looksUntilStop <= 1;
            }

            @Override
            public void save(long step, Writer writer) {
                Path directory = checkpointDirectory.resolve(Long.toString(step));
                try {
                    Files.createDirectories(directory);
                } catch (IOException e) {
                    throw new TestkitException("cannot make " + directory, e);
                }
                writer.write(directory);
            }
        };
    }
}
