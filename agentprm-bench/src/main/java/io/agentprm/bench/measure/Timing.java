package io.agentprm.bench.measure;

/**
 * How long something took.
 *
 * @param wall seconds on the wall clock
 * @param cpu seconds of processor time, of all threads of the process
 */
public record Timing(double wall, double cpu) {
    /** Runs the work once. */
    public static Timing of(CpuClock clock, Runnable work) {
        double cpu = clock.seconds();
        long start = System.nanoTime();
        work.run();
        return new Timing((System.nanoTime() - start) / 1e9, clock.seconds() - cpu);
    }

    /** What something took that contains the other. */
    public Timing less(Timing other) {
        return new Timing(wall - other.wall, cpu - other.cpu);
    }
}
