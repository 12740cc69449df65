package io.agentprm.engine.onnx;

/**
 * States of tokens in a graph.
 *
 * @param name of the value
 * @param byColumns whether the states of a token are a column, [width, tokens], and not a row,
 *     [tokens, width]
 */
record States(String name, boolean byColumns) {
    static States rows(String name) {
        return new States(name, false);
    }
}
