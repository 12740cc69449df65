package io.agentprm.env.alfworld.game;

/**
 * The 32-bit Mersenne Twister (Matsumoto and Nishimura, ACM TOMACS 8(1), 1998), seeded by
 * init_genrand as numpy's RandomState does for an integer.
 */
final class Mt19937 {
    private static final int SIZE = 624;
    private static final int SHIFT = 397;

    private final int[] state = new int[SIZE];
    private int at = SIZE;

    Mt19937(int seed) {
        state[0] = seed;
        for (int i = 1; i < SIZE; i++) {
            state[i] = 1812433253 * (state[i - 1] ^ (state[i - 1] >>> 30)) + i;
        }
    }

    /** A number from 0 to the bound, which may itself come up: masked draws until one fits. */
    int upTo(int bound) {
        int mask = bound == 0 ? 0 : -1 >>> Integer.numberOfLeadingZeros(bound);
        int draw = nextInt() & mask;
        while (draw > bound) {
            draw = nextInt() & mask;
        }
        return draw;
    }

    int nextInt() {
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
}
