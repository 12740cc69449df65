/**
 * The part of the Jinja language that chat templates of published models are written in, rendered
 * as Hugging Face's tokenizers render them (Jinja2 with {@code trim_blocks} and {@code
 * lstrip_blocks}, sandboxed).
 *
 * <p>Written here because a template's blanks are tokens: the Jinja libraries of the JVM that were
 * tried treat them otherwise than Jinja2. A template sees the values it is given and nothing of
 * Java: there is no reflection, so it can do no harm but take long.
 */
package io.agentprm.lm.jinja;
