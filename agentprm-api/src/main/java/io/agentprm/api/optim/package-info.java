/**
 * Optimisers: from data, a reference policy and a reward model to an improved policy; and learners
 * of reward models.
 */
package io.agentprm.api.optim;
