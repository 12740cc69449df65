package io.agentprm.lm.decode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Key-value caches by conversation, all in one buffer: each has a slot of it, where it stays from
 * turn to turn, so that a batch whose slots are neighbours is attended to without any copy. Of
 * bounded size: the one unused for longest goes first. What a cache holds is known by its tokens
 * and used as far as they agree with a prompt.
 */
public final class Conversations {
    /**
     * What may follow the tokens of a cache.
     *
     * @param behind number of tokens before it
     * @param columns where its keys and values are, ascending
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Branch(int behind, int[] tokens, int[] columns) {
        /** Number of its tokens that a prompt goes on with. */
        int agreeing(int[] prompt) {
            int different =
                    Arrays.mismatch(tokens, 0, tokens.length, prompt, behind, prompt.length);
            return different < 0 ? tokens.length : different;
        }
    }

    /**
     * The cache of one token sequence, and of replies to it of which one may become its next
     * tokens.
     */
    public static final class Entry {
        private final List<Branch> branches = new ArrayList<>();
        private int slot;
        private int[] tokens = {};

        private Entry(int slot) {
            this.slot = slot;
        }

        public int slot() {
            return slot;
        }

        public int length() {
            return tokens.length;
        }

        /** Number of columns up to the last one that holds something. */
        public int reach() {
            return branches.stream()
                    .mapToInt(branch -> branch.columns[branch.columns.length - 1] + 1)
                    .reduce(tokens.length, Math::max);
        }

        /**
         * Keeps as much of the tokens as agrees with the prompt, at most {@code limit}. If all do,
         * and the prompt goes on as a branch does, what agrees of it becomes tokens.
         *
         * @return columns of what has become tokens, to be pulled to their end
         */
        private int[] follow(int[] prompt, int limit) {
            int different = Arrays.mismatch(tokens, prompt);
            int agreeing = different < 0 ? prompt.length : different;
            if (agreeing < tokens.length) {
                branches.clear();
            }
            if (agreeing < tokens.length || agreeing == prompt.length) {
                tokens = Arrays.copyOf(tokens, Math.min(agreeing, limit));
                return new int[0];
            }
            Optional<Branch> best =
                    branches.stream()
                            .filter(branch -> branch.behind == tokens.length)
                            .max(Comparator.comparingInt(branch -> branch.agreeing(prompt)));
            branches.clear();
            int count =
                    best.map(b -> Math.min(b.agreeing(prompt), limit - tokens.length)).orElse(0);
            int[] columns = best.map(b -> Arrays.copyOf(b.columns, count)).orElse(new int[0]);
            append(Arrays.copyOfRange(prompt, tokens.length, tokens.length + count));
            return columns;
        }

        /**
         * A reply to these tokens has its keys and values in some columns behind them. They are
         * kept until the next prompt, which may go on with it.
         *
         * @param reply its tokens, at least one
         * @param columns of each of them, ascending
         */
        public void branch(int[] reply, int[] columns) {
            branches.add(new Branch(tokens.length, reply, columns));
        }

        /** Forgets all replies. */
        public void dropBranches() {
            branches.clear();
        }

        /** These tokens' keys and values have been written behind the others. */
        public void append(int[] more) {
            int before = tokens.length;
            tokens = Arrays.copyOf(tokens, before + more.length);
            System.arraycopy(more, 0, tokens, before, more.length);
        }
    }

    private static final int CAPACITY_STEP = 32;

    private final CacheMemory memory;
    private final long maxBytes;
    private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final List<Entry> unnamed = new ArrayList<>();
    private int slots;
    private int capacity = CAPACITY_STEP;

    /**
     * @param maxBytes bound of the memory, as far as a single batch allows
     */
    public Conversations(CacheMemory memory, long maxBytes) {
        this.memory = memory;
        this.maxBytes = maxBytes;
    }

    /** Column that nothing reads. */
    public int scratch() {
        return capacity;
    }

    /**
     * The caches of a batch, next to each other as far as possible; those without a name are freed
     * by {@link #trim}. Their slots are good until the next call of this method or of {@link
     * #trim}.
     */
    public List<Entry> open(List<Optional<String>> names) {
        makeRoom(
                names.stream().flatMap(Optional::stream).collect(Collectors.toSet()), names.size());
        BitSet used = used();
        List<Entry> opened = new ArrayList<>();
        for (Optional<String> name : names) {
            Entry entry =
                    name.map(n -> entries.computeIfAbsent(n, k -> create(used)))
                            .orElseGet(() -> create(used));
            if (name.isEmpty()) {
                unnamed.add(entry);
            }
            opened.add(entry);
        }
        bringTogether(opened);
        return opened;
    }

    /**
     * Slots for a batch: of conversations that are not part of it, the ones unused for longest go
     * where all together would exceed the bound. Grows by half at least, so that conversations
     * opened one by one are not moved each time.
     */
    private void makeRoom(Set<String> batch, int size) {
        int known = (int) batch.stream().filter(entries::containsKey).count();
        int needed = entries.size() + size - known;
        if (needed > Math.max(slots, affordable(capacity))
                && affordable(enough()) > affordable(capacity)) {
            // Replies, of which at most one is gone on with, are worth less than conversations.
            shrink(slots);
        }
        int affordable = affordable(capacity);
        Iterator<String> oldest = entries.keySet().iterator();
        while (needed > Math.max(slots, affordable) && oldest.hasNext()) {
            if (!batch.contains(oldest.next())) {
                oldest.remove();
                needed--;
            }
        }
        if (needed > slots) {
            resize(Math.max(needed, Math.min(slots * 3 / 2, affordable)), capacity);
        }
    }

    /** Slots of so many columns within the bound. */
    private int affordable(int columns) {
        return (int) (maxBytes / (bytesPerToken() * (columns + 1)));
    }

    /** Columns that the tokens of all conversations need, replies to them left out. */
    private int enough() {
        int longest = entries.values().stream().mapToInt(Entry::length).max().orElse(0);
        return Math.min(capacity, (longest / CAPACITY_STEP + 1) * CAPACITY_STEP);
    }

    private void shrink(int newSlots) {
        resize(newSlots, enough());
        entries.values().stream()
                .filter(entry -> entry.reach() > capacity)
                .forEach(Entry::dropBranches);
    }

    private Stream<Entry> all() {
        return Stream.concat(entries.values().stream(), unnamed.stream());
    }

    private BitSet used() {
        BitSet used = new BitSet(slots);
        all().forEach(e -> used.set(e.slot));
        return used;
    }

    private Entry create(BitSet used) {
        int slot = used.nextClearBit(0);
        used.set(slot);
        memory.blank(slot);
        return new Entry(slot);
    }

    /** Slot of a conversation, or a large number if it has none yet. */
    public int slotOf(Optional<String> name) {
        return name.filter(entries::containsKey)
                .map(n -> entries.get(n).slot)
                .orElse(Integer.MAX_VALUE);
    }

    /** Makes room for so many tokens in every slot. */
    public void reserve(int length) {
        if (length > capacity) {
            int generous = roundUp(Math.max(length, capacity * 3 / 2));
            boolean fits = bytesPerToken() * slots * (generous + 1) <= maxBytes;
            resize(slots, fits ? generous : roundUp(length));
        }
    }

    private static int roundUp(int columns) {
        return (columns + CAPACITY_STEP - 1) / CAPACITY_STEP * CAPACITY_STEP;
    }

    private void resize(int newSlots, int newCapacity) {
        memory.resize(newSlots, newCapacity + 1);
        slots = newSlots;
        capacity = newCapacity;
    }

    /**
     * Makes room for so many tokens in every slot unless that exceeds the bound.
     *
     * @return whether there is room
     */
    public boolean reserveWithin(int length) {
        if (length > capacity && bytesPerToken() * slots * (roundUp(length) + 1) > maxBytes) {
            return false;
        }
        reserve(length);
        return true;
    }

    /**
     * Cuts caches back to what agrees with their prompts; a reply that a prompt goes on with, and
     * that has been kept, is part of that.
     *
     * @param recompute tokens at the end of each prompt that are computed even if cached
     */
    public void follow(List<Entry> caches, List<int[]> prompts, int recompute) {
        List<int[]> moves = new ArrayList<>();
        for (int i = 0; i < caches.size(); i++) {
            Entry cache = caches.get(i);
            int[] prompt = prompts.get(i);
            int[] columns = cache.follow(prompt, prompt.length - recompute);
            int first = cache.length() - columns.length;
            for (int c = 0; c < columns.length; c++) {
                if (columns[c] != first + c) {
                    moves.add(new int[] {cache.slot, columns[c], first + c});
                }
            }
        }
        if (!moves.isEmpty()) {
            memory.pull(plane(moves, 0), plane(moves, 1), plane(moves, 2));
        }
    }

    private static int[] plane(List<int[]> moves, int which) {
        return moves.stream().mapToInt(move -> move[which]).toArray();
    }

    /** Whether a batch with these slots can be attended to in place. */
    public static boolean neighbours(int least, int most, int count) {
        return most - least + 1 <= count + count / 4 + 1;
    }

    private void bringTogether(List<Entry> batch) {
        int least = batch.stream().mapToInt(Entry::slot).min().orElse(0);
        int most = batch.stream().mapToInt(Entry::slot).max().orElse(0);
        if (!neighbours(least, most, batch.size())) {
            moveToFront(batch);
        }
    }

    /** Swaps members of the batch that lie too far back with others that lie in front. */
    private void moveToFront(List<Entry> batch) {
        Entry[] owners = new Entry[slots];
        all().forEach(e -> owners[e.slot] = e);
        List<Entry> back = new ArrayList<>();
        BitSet front = new BitSet();
        for (Entry entry : batch) {
            if (entry.slot < batch.size()) {
                front.set(entry.slot);
            } else {
                back.add(entry);
            }
        }
        int[] from = new int[2 * back.size()];
        int[] to = new int[from.length];
        for (int i = 0; i < back.size(); i++) {
            Entry entry = back.get(i);
            int target = front.nextClearBit(0);
            front.set(target);
            from[2 * i] = entry.slot;
            from[2 * i + 1] = target;
            to[2 * i] = target;
            to[2 * i + 1] = entry.slot;
            if (owners[target] != null) {
                owners[target].slot = entry.slot;
            }
            entry.slot = target;
        }
        if (from.length > 0) {
            memory.permute(from, to);
        }
    }

    /** Frees what has no name, and the longest unused caches until the rest is within bounds. */
    public void trim() {
        unnamed.clear();
        if (bytes() > maxBytes) {
            int most = affordable(enough());
            Iterator<Map.Entry<String, Entry>> oldest = entries.entrySet().iterator();
            for (int n = entries.size(); n > most; n--) {
                oldest.next();
                oldest.remove();
            }
            if (!entries.isEmpty()) {
                moveToFront(
                        entries.values().stream()
                                .sorted(Comparator.comparingInt(Entry::slot))
                                .toList());
                shrink(entries.size());
            }
        }
        dropIfEmpty();
    }

    /** The capacity stays: the next conversations will be about as long. */
    private void dropIfEmpty() {
        if (entries.isEmpty() && unnamed.isEmpty() && slots > 0) {
            memory.resize(0, capacity + 1);
            slots = 0;
        }
    }

    /** Native memory held by all caches. */
    public long bytes() {
        return bytesPerToken() * slots * (capacity + 1);
    }

    /** Of one token in all layers. */
    public long bytesPerToken() {
        return memory.bytesPerToken();
    }

    public void release(String name) {
        entries.remove(name);
        dropIfEmpty();
    }

    /** Frees everything: the weights have changed. */
    public void clear() {
        entries.clear();
        dropIfEmpty();
    }
}
