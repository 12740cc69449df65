package io.agentprm.env.alfworld.engine;

/** A game compiled for an engine. Immutable and thread-safe. */
public interface World {
    /**
     * A session at the start of the game.
     *
     * @param taskSentence what stands in the place of the game's task sentence, such as {@code Your
     *     task is to: put a mug in desk.}
     */
    GameSession open(String taskSentence);
}
