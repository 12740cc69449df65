/** Speed of the environments: household games, shop. */
package io.agentprm.bench.games;
