/** The script that builds and starts the command. */
package io.agentprm.cli.launch;
