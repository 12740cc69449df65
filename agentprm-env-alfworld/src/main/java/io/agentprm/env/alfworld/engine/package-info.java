/** Engines: the general interpreter and the compiled fast path for the released games. */
package io.agentprm.env.alfworld.engine;
