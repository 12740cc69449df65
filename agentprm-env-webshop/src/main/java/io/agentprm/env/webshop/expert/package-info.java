/** Shoppers that use only what an agent sees: an expert, rules as baselines, and chance. */
package io.agentprm.env.webshop.expert;
