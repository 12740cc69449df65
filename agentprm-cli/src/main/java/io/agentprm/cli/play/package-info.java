/** {@code agentprm play}: a person plays an environment in the terminal. */
package io.agentprm.cli.play;
