/**
 * Evaluation: from finished episodes to a report that can be compared, and the statistics for it.
 */
package io.agentprm.core.eval;
