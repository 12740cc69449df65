/** Speed of models: training beside a peer, generation. */
package io.agentprm.bench.model;
