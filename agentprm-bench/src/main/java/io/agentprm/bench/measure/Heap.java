package io.agentprm.bench.measure;

/** Memory of this JVM. */
public final class Heap {
    private Heap() {}

    /** Bytes that survive a collection. */
    public static long used() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
