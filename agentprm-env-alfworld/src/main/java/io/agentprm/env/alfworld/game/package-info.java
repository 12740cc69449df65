/**
 * Released and generated games: files, folders and the loaded form that sessions are opened from.
 */
package io.agentprm.env.alfworld.game;
