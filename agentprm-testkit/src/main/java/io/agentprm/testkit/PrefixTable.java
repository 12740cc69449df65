package io.agentprm.testkit;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Weights by exact prefix. A prefix that was never trained has the prior's logits for its last
 * token and the score 0.
 */
final class PrefixTable {
    private static final int MAGIC = 0x7AB1E001;

    private final double[][] prior;
    private final PrefixNode root;
    private long steps;

    private PrefixTable(double[][] prior, PrefixNode root, long steps) {
        this.prior = prior;
        this.root = root;
        this.steps = steps;
    }

    /**
     * An untrained table.
     *
     * @param prior logits of the next token by last token, {@code [vocabulary][vocabulary]}
     */
    static PrefixTable of(double[][] prior) {
        return new PrefixTable(prior, new PrefixNode(new double[prior.length]), 0);
    }

    PrefixTable copy() {
        return new PrefixTable(prior, root.copy(), steps);
    }

    int vocabularySize() {
        return prior.length;
    }

    long steps() {
        return steps;
    }

    void countStep() {
        steps++;
    }

    long parameters() {
        return root.count() * (prior.length + 1);
    }

    /** The node of a prefix, made if need be. */
    PrefixNode node(int[] prefix) {
        PrefixNode node = root;
        for (int token : prefix) {
            node = child(node, token);
        }
        return node;
    }

    PrefixNode root() {
        return root;
    }

    PrefixNode child(PrefixNode node, int token) {
        return node.children.computeIfAbsent(token, id -> new PrefixNode(prior[id]));
    }

    /** The weights of a prefix, without making a node; not to be changed. */
    double[] weights(int[] prefix, int length) {
        PrefixNode node = root;
        for (int i = 0; i < length; i++) {
            PrefixNode next = node.children.get(prefix[i]);
            if (next == null) {
                return Arrays.copyOf(prior[prefix[length - 1]], prior.length + 1);
            }
            node = next;
        }
        return node.weights;
    }

    void forEach(Consumer<PrefixNode> action) {
        forEach(root, action);
    }

    private static void forEach(PrefixNode node, Consumer<PrefixNode> action) {
        action.accept(node);
        node.children.values().forEach(child -> forEach(child, action));
    }

    void write(Path file) {
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            out.writeInt(MAGIC);
            out.writeInt(prior.length);
            out.writeLong(steps);
            for (double[] row : prior) {
                for (double value : row) {
                    out.writeDouble(value);
                }
            }
            root.write(out);
        } catch (IOException e) {
            throw new TestkitException("cannot write " + file, e);
        }
    }

    static PrefixTable read(Path file) {
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            if (in.readInt() != MAGIC) {
                throw new TestkitException(file + " is not a tabular model");
            }
            int vocabulary = in.readInt();
            long steps = in.readLong();
            double[][] prior = new double[vocabulary][vocabulary];
            for (double[] row : prior) {
                for (int i = 0; i < vocabulary; i++) {
                    row[i] = in.readDouble();
                }
            }
            return new PrefixTable(prior, PrefixNode.read(in, vocabulary), steps);
        } catch (IOException e) {
            throw new TestkitException("cannot read the tabular model " + file, e);
        }
    }
}
