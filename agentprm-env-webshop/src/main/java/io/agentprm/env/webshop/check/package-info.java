/** Comparison with recordings of the original. */
package io.agentprm.env.webshop.check;
