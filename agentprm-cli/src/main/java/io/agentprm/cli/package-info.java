/** The agentprm command. */
package io.agentprm.cli;
