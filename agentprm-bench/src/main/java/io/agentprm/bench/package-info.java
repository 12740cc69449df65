/** The {@code bench} command. */
package io.agentprm.bench;
