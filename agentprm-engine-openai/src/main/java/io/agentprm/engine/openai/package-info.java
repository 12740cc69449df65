/**
 * Models behind an HTTP server: vLLM, SGLang, llama.cpp's server and others that speak OpenAI's
 * API.
 *
 * <p>From the wire upwards: {@code Wire} sends one request, {@code Caller} repeats it where that
 * helps, {@code Server} sends many at a time. A {@code TokenProtocol} for each {@link
 * io.agentprm.engine.openai.Dialect} says what is sent and how the answer is read; the engine, the
 * policy and the reward model are made of these. What a dialect cannot do is declared ({@link
 * io.agentprm.engine.openai.Capability}) and refused when a component is made.
 */
package io.agentprm.engine.openai;
