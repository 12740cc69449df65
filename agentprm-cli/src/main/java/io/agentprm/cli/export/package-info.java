/** {@code agentprm export}: models for ONNX Runtime. */
package io.agentprm.cli.export;
