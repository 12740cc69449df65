package io.agentprm.env.webshop.search;

import io.agentprm.env.webshop.catalog.Product;
import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/**
 * What goals and prices need to know of every product before any of them is asked for: a few
 * numbers each, so that millions of products and goals fit into memory.
 */
public final class GoalFacts {
    private static final int NO_REQUEST = -1;

    /** An instruction that asks for no attribute, of which no goal can be made. */
    private static final int EMPTY_REQUEST = -2;

    private double[] from = new double[1024];
    private double[] to = new double[1024];
    private int[] combinations = new int[1024];
    private int[] instructions = new int[1024];
    private int size;

    GoalFacts() {}

    void add(Product product) {
        add(
                product.pricing().get(0),
                product.pricing().size() == 1 ? Double.NaN : product.pricing().get(1),
                choices(product),
                (int)
                        product.instructions().stream()
                                .filter(one -> !one.attributes().isEmpty())
                                .count());
    }

    private static int choices(Product product) {
        return product.request()
                .map(asked -> asked.attributes().isEmpty() ? EMPTY_REQUEST : product.combinations())
                .orElse(NO_REQUEST);
    }

    private void add(double low, double high, int choices, int human) {
        if (size == from.length) {
            int more = size + (size >> 1);
            from = Arrays.copyOf(from, more);
            to = Arrays.copyOf(to, more);
            combinations = Arrays.copyOf(combinations, more);
            instructions = Arrays.copyOf(instructions, more);
        }
        from[size] = low;
        to[size] = high;
        combinations[size] = choices;
        instructions[size++] = human;
    }

    /** Number of products. */
    public int size() {
        return size;
    }

    /** The first price of a product. */
    public double price(int ordinal) {
        return from[ordinal];
    }

    /** True if a product's price is to be drawn between two. */
    public boolean isRange(int ordinal) {
        return !Double.isNaN(to[ordinal]);
    }

    /** The second price of a product that has two. */
    public double otherPrice(int ordinal) {
        return to[ordinal];
    }

    /** Number of synthetic goals of a product: one for each combination of its options. */
    public int syntheticGoals(int ordinal) {
        return Math.max(0, combinations[ordinal]);
    }

    /** True if an instruction was made for a product. */
    public boolean hasRequest(int ordinal) {
        return combinations[ordinal] != NO_REQUEST;
    }

    /** The first product whose instruction made by rule asks for no attribute. */
    public OptionalInt firstEmptyRequest() {
        return IntStream.range(0, size).filter(i -> combinations[i] == EMPTY_REQUEST).findFirst();
    }

    /** Number of a product's instructions that people wrote and that ask for an attribute. */
    public int humanGoals(int ordinal) {
        return instructions[ordinal];
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(size);
        for (int i = 0; i < size; i++) {
            out.writeLong(Double.doubleToRawLongBits(from[i]));
            out.writeLong(Double.doubleToRawLongBits(to[i]));
            out.writeInt(combinations[i]);
            out.writeInt(instructions[i]);
        }
    }

    static GoalFacts read(DataInput in) throws IOException {
        GoalFacts facts = new GoalFacts();
        for (int left = in.readInt(); left > 0; left--) {
            facts.add(price(in), price(in), in.readInt(), in.readInt());
        }
        return facts;
    }

    private static double price(DataInput in) throws IOException {
        return Double.longBitsToDouble(in.readLong());
    }
}
