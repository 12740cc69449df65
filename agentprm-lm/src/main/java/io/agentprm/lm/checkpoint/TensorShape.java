package io.agentprm.lm.checkpoint;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The dimensions of a tensor, outermost first (row-major).
 *
 * @param dims no dimension is negative; an empty list is a scalar
 */
public record TensorShape(List<Long> dims) {
    public TensorShape {
        dims = List.copyOf(dims);
        for (long d : dims) {
            if (d < 0) {
                throw new IllegalArgumentException("negative dimension in shape " + dims);
            }
        }
    }

    public static TensorShape of(long... dims) {
        return new TensorShape(Arrays.stream(dims).boxed().collect(Collectors.toList()));
    }

    /**
     * Number of elements.
     *
     * @throws ArithmeticException if it does not fit into a long
     */
    public long elements() {
        long n = 1;
        for (long d : dims) {
            n = Math.multiplyExact(n, d);
        }
        return n;
    }

    /** Number of dimensions. */
    public int rank() {
        return dims.size();
    }

    public long dim(int i) {
        return dims.get(i);
    }

    public long[] toArray() {
        return dims.stream().mapToLong(Long::longValue).toArray();
    }

    @Override
    public String toString() {
        return dims.toString();
    }
}
