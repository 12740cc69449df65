package io.agentprm.lm.decode;

/**
 * Where an engine keeps keys and values: slots of equally many columns. Of a slot's columns the
 * last one takes what padding writes, and is never read.
 */
public interface CacheMemory {
    /** Keys and values of one token in all layers, in bytes. */
    long bytesPerToken();

    /**
     * Changes the size; what fits stays, the rest is zero.
     *
     * @param slots number of slots; 0 frees everything
     * @param columns of each slot
     */
    void resize(int slots, int columns);

    /**
     * Sets a slot to zero: a masked number still is multiplied by 0, and not a number stays one.
     */
    void blank(int slot);

    /** Moves slots at once: {@code to[i]} gets what {@code from[i]} holds. */
    void permute(int[] from, int[] to);

    /**
     * Copies columns within slots: in {@code slots[i]}, column {@code to[i]} gets what {@code
     * from[i]} holds, which lies behind it or is the same. Columns of one slot come in ascending
     * order.
     */
    void pull(int[] slots, int[] from, int[] to);
}
