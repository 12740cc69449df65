/** The {@code agentprm} command: one class per subcommand, and the only place that prints. */
package io.agentprm.cli;
