/**
 * The part of the Jinja language that chat templates of published models are written in, rendered
 * as Hugging Face's tokenizers render them (Jinja2 with {@code trim_blocks} and {@code
 * lstrip_blocks}, sandboxed).
 *
 * <p>Written here because no Jinja library of the JVM that was found reads what published templates
 * are written in. Jinjava 2.8.4 comes closest, and renders templates of Llama, Mistral, Gemma and
 * Qwen2.5 equally once it is kept from interpreting the messages; but it takes {@code
 * messages[::-1]} for an error, knows no {@code startswith} or {@code lstrip}, all of which Qwen3's
 * template needs, and ignores the condition of {@code for ... if}. A template sees the values it is
 * given and nothing of Java: there is no reflection, so it can do no harm but take long.
 */
package io.agentprm.lm.jinja;
