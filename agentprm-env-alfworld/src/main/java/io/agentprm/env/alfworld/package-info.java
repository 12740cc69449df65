/** ALFWorld text engine, loader for the released data, generator of household games, experts. */
package io.agentprm.env.alfworld;
