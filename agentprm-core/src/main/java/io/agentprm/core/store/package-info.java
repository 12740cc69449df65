/**
 * Trajectories on disk: JSON Lines, compressed, with a versioned schema; and the import of other
 * formats.
 */
package io.agentprm.core.store;
