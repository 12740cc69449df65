package io.agentprm.env.webshop.python;

import java.util.ArrayList;
import java.util.List;

/**
 * CPython's {@code random.Random} (3.11): the 32-bit Mersenne Twister (Matsumoto and Nishimura, ACM
 * TOMACS 8(1), 1998) seeded by {@code init_by_array}, with the methods on which the order of goals
 * and their price limits depend. Not thread-safe.
 */
public final class PythonRandom {
    private static final int SIZE = 624;
    private static final int SHIFT = 397;

    private final int[] state = new int[SIZE];
    private int at;

    /** A generator after {@code random.seed(seed)}; as in Python, the sign does not count. */
    public PythonRandom(long seed) {
        seed(seed);
    }

    /** Starts again as after {@code random.seed(seed)}. */
    public void seed(long seed) {
        long magnitude = Math.abs(seed);
        int high = (int) (magnitude >>> 32);
        int[] key = high == 0 ? new int[] {(int) magnitude} : new int[] {(int) magnitude, high};
        initialise(19650218);
        int i = 1;
        int j = 0;
        for (int k = SIZE; k > 0; k--) {
            state[i] = (state[i] ^ (previous(i) * 1664525)) + key[j] + j;
            i = next(i);
            j = (j + 1) % key.length;
        }
        for (int k = SIZE - 1; k > 0; k--) {
            state[i] = (state[i] ^ (previous(i) * 1566083941)) - i;
            i = next(i);
        }
        state[0] = 0x80000000;
        at = SIZE;
    }

    private void initialise(int seed) {
        state[0] = seed;
        for (int i = 1; i < SIZE; i++) {
            state[i] = 1812433253 * (state[i - 1] ^ (state[i - 1] >>> 30)) + i;
        }
    }

    private int previous(int i) {
        return state[i - 1] ^ (state[i - 1] >>> 30);
    }

    private int next(int i) {
        if (i + 1 < SIZE) {
            return i + 1;
        }
        state[0] = state[SIZE - 1];
        return 1;
    }

    private int nextInt() {
        if (at == SIZE) {
            refill();
        }
        int y = state[at++];
        y ^= y >>> 11;
        y ^= (y << 7) & 0x9D2C5680;
        y ^= (y << 15) & 0xEFC60000;
        return y ^ (y >>> 18);
    }

    private void refill() {
        for (int i = 0; i < SIZE; i++) {
            int y = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7FFFFFFF);
            state[i] = state[(i + SHIFT) % SIZE] ^ (y >>> 1) ^ ((y & 1) == 0 ? 0 : 0x9908B0DF);
        }
        at = 0;
    }

    /** {@code random()}: a double in [0, 1) with 53 random bits. */
    public double random() {
        int a = nextInt() >>> 5;
        int b = nextInt() >>> 6;
        return (a * 67108864.0 + b) * (1.0 / 9007199254740992.0);
    }

    /**
     * {@code getrandbits(bits)}.
     *
     * @param bits from 1 to 32
     */
    public long bits(int bits) {
        return Integer.toUnsignedLong(nextInt()) >>> (32 - bits);
    }

    /**
     * {@code _randbelow(bound)}: draws until a number fits.
     *
     * @param bound 1 or more
     */
    public int below(int bound) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(bound);
        long draw = bits(bits);
        while (draw >= bound) {
            draw = bits(bits);
        }
        return (int) draw;
    }

    /** {@code uniform(a, b)}; a may be the larger one. */
    public double uniform(double a, double b) {
        return a + (b - a) * random();
    }

    /** {@code shuffle(items)}: Fisher-Yates from the end. */
    public void shuffle(int[] items) {
        for (int i = items.length - 1; i > 0; i--) {
            int j = below(i + 1);
            int other = items[i];
            items[i] = items[j];
            items[j] = other;
        }
    }

    /**
     * {@code sample(items, count)} by Python's pool method, which it uses for lists of at most 21
     * items.
     *
     * @param count from 0 to the number of items
     */
    public <T> List<T> sample(List<T> items, int count) {
        List<T> pool = new ArrayList<>(items);
        List<T> drawn = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int j = below(items.size() - i);
            drawn.add(pool.get(j));
            pool.set(j, pool.get(items.size() - i - 1));
        }
        return drawn;
    }

    /** {@code ''.join(choices(letters, k=length))}. */
    public String choices(String letters, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(letters.charAt((int) Math.floor(random() * letters.length())));
        }
        return text.toString();
    }
}
