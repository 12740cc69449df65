/** Speed of the household games. */
package io.agentprm.bench.games;
