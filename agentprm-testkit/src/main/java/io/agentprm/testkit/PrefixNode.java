package io.agentprm.testkit;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * A node of the trie of prefixes: what the table holds for one exact prefix. The weights are one
 * logit per token and, last, the score.
 */
final class PrefixNode {
    final Map<Integer, PrefixNode> children = new TreeMap<>();
    final double[] weights;
    final double[] gradient;
    final double[] firstMoment;
    final double[] secondMoment;

    PrefixNode(double[] initialLogits) {
        int size = initialLogits.length + 1;
        weights = new double[size];
        System.arraycopy(initialLogits, 0, weights, 0, initialLogits.length);
        gradient = new double[size];
        firstMoment = new double[size];
        secondMoment = new double[size];
    }

    PrefixNode copy() {
        PrefixNode copy = new PrefixNode(new double[weights.length - 1]);
        System.arraycopy(weights, 0, copy.weights, 0, weights.length);
        System.arraycopy(firstMoment, 0, copy.firstMoment, 0, weights.length);
        System.arraycopy(secondMoment, 0, copy.secondMoment, 0, weights.length);
        children.forEach((token, child) -> copy.children.put(token, child.copy()));
        return copy;
    }

    long count() {
        return 1 + children.values().stream().mapToLong(PrefixNode::count).sum();
    }

    void write(DataOutput out) throws IOException {
        for (double[] array : new double[][] {weights, firstMoment, secondMoment}) {
            for (double value : array) {
                out.writeDouble(value);
            }
        }
        out.writeInt(children.size());
        for (Map.Entry<Integer, PrefixNode> child : children.entrySet()) {
            out.writeInt(child.getKey());
            child.getValue().write(out);
        }
    }

    static PrefixNode read(DataInput in, int vocabularySize) throws IOException {
        PrefixNode node = new PrefixNode(new double[vocabularySize]);
        for (double[] array : new double[][] {node.weights, node.firstMoment, node.secondMoment}) {
            for (int i = 0; i < array.length; i++) {
                array[i] = in.readDouble();
            }
        }
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            int token = in.readInt();
            node.children.put(token, read(in, vocabularySize));
        }
        return node;
    }
}
