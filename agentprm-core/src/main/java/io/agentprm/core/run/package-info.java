/** The run directory: what a run has done, and where it goes on. */
package io.agentprm.core.run;
