/** The reward at the till: how well what was bought fits the goal. */
package io.agentprm.env.webshop.reward;
