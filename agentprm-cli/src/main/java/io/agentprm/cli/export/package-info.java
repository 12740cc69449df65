/** {@code agentprm export}: models for ONNX Runtime and llama.cpp. */
package io.agentprm.cli.export;
