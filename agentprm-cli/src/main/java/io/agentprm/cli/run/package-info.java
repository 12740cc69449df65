/** {@code agentprm run}: the training loop and its results in the terminal. */
package io.agentprm.cli.run;
