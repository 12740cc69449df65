/** Target estimators: Monte Carlo labels, and the arithmetic of returns and advantages. */
package io.agentprm.algos.target;
