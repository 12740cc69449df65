package io.agentprm.env.alfworld.engine;

import io.agentprm.env.alfworld.pddl.Problem;
import java.util.List;

/** One game being played. Not thread-safe; sessions of one game share nothing that changes. */
public interface GameSession {
    /** Said when a command is not available; the state stays as it was. */
    String NOTHING_HAPPENS = "Nothing happens.";

    /** Starts again and returns the first observation. */
    String reset();

    /**
     * Acts and returns the feedback, which is {@link #NOTHING_HAPPENS} unless the command, without
     * white space around it, is one of {@link #admissible()}.
     */
    String step(String command);

    /** Commands that are available now, each once, sorted by code point. Immutable. */
    List<String> admissible();

    /** True if the last command was available; true after a reset. */
    boolean accepted();

    /** True if the goal holds now. Not sticky: taking the object back makes it false again. */
    boolean won();

    /** An independent session in the same state. */
    GameSession copy();

    /** Visits every fact that is true now; numbers are entities of the game's problem. */
    void forEachFact(Problem.FactVisitor visitor);
}
