/** What a person plays, whatever it is shown on: the episode, advice on it, the record of it. */
package io.agentprm.cli.game;
