/** Policies: batched decisions on states. */
package io.agentprm.api.policy;
