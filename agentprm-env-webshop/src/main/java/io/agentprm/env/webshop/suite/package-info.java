/** The environment {@code webshop} and its shoppers as plugins. */
package io.agentprm.env.webshop.suite;
