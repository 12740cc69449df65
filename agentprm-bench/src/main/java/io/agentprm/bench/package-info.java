/** JMH benchmarks and side-by-side comparisons. */
package io.agentprm.bench;
