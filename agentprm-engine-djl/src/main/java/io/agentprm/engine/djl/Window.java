package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.agentprm.lm.decode.Conversations;
import java.util.Arrays;
import java.util.List;

/**
 * The caches that a batch attends to: a range of slots, in place where the batch fills most of it,
 * otherwise a copy.
 */
final class Window {
    private final NDArray buffer;
    private final int first;
    private final int count;
    private final int longest;
    private final NDArray seen;
    private final int seenFirst;
    private final int[] places;

    private Window(
            NDArray buffer,
            int first,
            int count,
            int longest,
            NDArray seen,
            int seenFirst,
            int[] places) {
        this.buffer = buffer;
        this.first = first;
        this.count = count;
        this.longest = longest;
        this.seen = seen;
        this.seenFirst = seenFirst;
        this.places = places;
    }

    /** A window over the caches as far as they are filled now. */
    static Window of(
            Decoder decoder,
            DjlCacheMemory memory,
            NDManager manager,
            List<Conversations.Entry> caches) {
        int[] slots = caches.stream().mapToInt(Conversations.Entry::slot).toArray();
        int longest = caches.stream().mapToInt(Conversations.Entry::length).max().orElseThrow();
        int least = Arrays.stream(slots).min().orElseThrow();
        int most = Arrays.stream(slots).max().orElseThrow();
        if (longest == 0 || Conversations.neighbours(least, most, slots.length)) {
            int[] places = Arrays.stream(slots).map(s -> s - least).toArray();
            int count = most - least + 1;
            NDArray seen = seen(manager, caches, places, count, longest);
            return new Window(memory.buffer(), least, count, longest, seen, 0, places);
        }
        int[] places = new int[slots.length];
        Arrays.setAll(places, i -> i);
        return new Window(
                keep(decoder, manager, memory.buffer(), slots, longest),
                0,
                slots.length,
                longest,
                seen(manager, caches, places, slots.length, longest),
                0,
                places);
    }

    private static NDArray seen(
            NDManager manager,
            List<Conversations.Entry> caches,
            int[] places,
            int count,
            int longest) {
        float[] seen = new float[count * longest];
        Arrays.fill(seen, Float.NEGATIVE_INFINITY);
        for (int i = 0; i < places.length; i++) {
            int start = places[i] * longest;
            Arrays.fill(seen, start, start + caches.get(i).length(), 0);
        }
        return Decoder.create(manager, seen, count, 1, 1, longest);
    }

    private static NDArray keep(
            Decoder decoder, NDManager manager, NDArray buffer, int[] slots, int longest) {
        long[] rows = Arrays.stream(slots).asLongStream().toArray();
        NDArray chosen = manager.create(rows, new Shape(rows.length));
        return decoder.script().call(manager, "keep", false, buffer, chosen, longest);
    }

    /** The same window for some of its conversations, given by their numbers; smaller if cheap. */
    Window of(Decoder decoder, NDManager manager, int[] chosen) {
        int[] kept = Arrays.stream(chosen).map(i -> places[i]).toArray();
        int least = Arrays.stream(kept).min().orElseThrow();
        int most = Arrays.stream(kept).max().orElseThrow();
        if (longest > 0 && 2 * kept.length <= most - least + 1) {
            int[] slots = Arrays.stream(kept).map(p -> first + p).toArray();
            long[] rows = Arrays.stream(kept).mapToLong(p -> seenFirst + p).toArray();
            int[] order = new int[kept.length];
            Arrays.setAll(order, i -> i);
            return new Window(
                    keep(decoder, manager, buffer, slots, longest),
                    0,
                    kept.length,
                    longest,
                    decoder.script()
                            .call(
                                    manager,
                                    "rows",
                                    false,
                                    seen,
                                    manager.create(rows, new Shape(rows.length))),
                    0,
                    order);
        }
        return new Window(
                buffer,
                first + least,
                most - least + 1,
                longest,
                seen,
                seenFirst + least,
                Arrays.stream(kept).map(p -> p - least).toArray());
    }

    /**
     * Arguments of a kernel that extends rows.
     *
     * @param conversations number of each row's conversation in this window
     * @param start columns of {@code own} that are filled already
     */
    Object[] arguments(NDManager manager, int[] conversations, int start) {
        int[] width = new int[count];
        int[] column = new int[conversations.length];
        int widest = 1;
        for (int r = 0; r < column.length; r++) {
            column[r] = width[places[conversations[r]]]++;
            widest = Math.max(widest, column[r] + 1);
        }
        long[] pad = new long[count * widest];
        long[] unpad = new long[conversations.length];
        boolean same = pad.length == unpad.length;
        for (int r = 0; r < unpad.length; r++) {
            unpad[r] = (long) places[conversations[r]] * widest + column[r];
            pad[(int) unpad[r]] = r;
            same &= unpad[r] == r;
        }
        long[] range = {first, count, longest, start, seenFirst};
        boolean plain = same || longest == 0;
        return new Object[] {
            range,
            buffer,
            seen,
            manager.create(plain ? new long[0] : pad, new Shape(plain ? 0 : pad.length)),
            manager.create(plain ? new long[0] : unpad, new Shape(plain ? 0 : unpad.length))
        };
    }
}
