/** Text for the terminal. */
package io.agentprm.cli.text;
