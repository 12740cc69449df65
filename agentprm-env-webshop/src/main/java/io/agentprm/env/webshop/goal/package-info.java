/** Goals: what they ask for, in which order they come, and which prices they allow. */
package io.agentprm.env.webshop.goal;
