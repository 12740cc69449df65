/** Comparison with recordings of the reference engine. */
package io.agentprm.env.alfworld.check;
