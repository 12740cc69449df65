/**
 * The engine {@code onnx}: checkpoints as ONNX graphs, written as files or loaded at once, and
 * generation with them on ONNX Runtime.
 */
package io.agentprm.engine.onnx;
