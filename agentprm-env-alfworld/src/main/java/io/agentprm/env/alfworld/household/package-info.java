/**
 * One game seen as a room: furniture, things, what is where, and what is wanted. Generator and
 * experts reason on this view; the text engine does not need it.
 */
package io.agentprm.env.alfworld.household;
