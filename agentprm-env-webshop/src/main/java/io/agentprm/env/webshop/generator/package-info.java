/**
 * A catalogue made from a seed, with instructions and goals, in the form of the original's files.
 */
package io.agentprm.env.webshop.generator;
