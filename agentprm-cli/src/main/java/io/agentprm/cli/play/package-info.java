/** {@code agentprm play}: a person plays an environment, in the terminal or in a browser. */
package io.agentprm.cli.play;
