/** {@code agentprm doctor}: looks at the machine and says what would stand in the way of a run. */
package io.agentprm.cli.doctor;
