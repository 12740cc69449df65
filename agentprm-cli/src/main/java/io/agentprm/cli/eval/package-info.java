/** {@code agentprm eval}: judges one agent, and compares it with another. */
package io.agentprm.cli.eval;
