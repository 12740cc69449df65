package io.agentprm.env.alfworld.game;

import io.agentprm.env.alfworld.engine.GameSession;
import io.agentprm.env.alfworld.engine.InterpretedWorld;
import io.agentprm.env.alfworld.engine.World;
import io.agentprm.env.alfworld.pddl.Domain;
import io.agentprm.env.alfworld.pddl.Problem;
import io.agentprm.env.alfworld.twl2.Grammar;
import io.agentprm.env.alfworld.twl2.GrammarReader;
import java.util.List;
import java.util.Optional;

/** A loaded game. Immutable and thread-safe; sessions are cheap. */
public final class Game {
    private static final String TASK = "Your task is to: ";

    private final String id;
    private final TaskType type;
    private final Domain domain;
    private final Grammar grammar;
    private final Problem problem;
    private final String taskSentence;
    private final boolean solvable;
    private final List<String> walkthrough;
    private final List<String> humanGoals;
    private final String contentHash;
    private final Optional<World> compiled;

    Game(
            String id,
            TaskType type,
            Domain domain,
            Grammar grammar,
            Problem problem,
            String taskSentence,
            boolean solvable,
            List<String> walkthrough,
            List<String> humanGoals,
            String contentHash,
            Optional<World> compiled) {
        this.id = id;
        this.type = type;
        this.domain = domain;
        this.grammar = grammar;
        this.problem = problem;
        this.taskSentence = taskSentence;
        this.solvable = solvable;
        this.walkthrough = List.copyOf(walkthrough);
        this.humanGoals = List.copyOf(humanGoals);
        this.contentHash = contentHash;
        this.compiled = compiled;
    }

    /** {@code <split>/<task folder>/<trial folder>}, as recordings name it. */
    public String id() {
        return id;
    }

    public TaskType type() {
        return type;
    }

    public Problem problem() {
        return problem;
    }

    public boolean solvable() {
        return solvable;
    }

    /** The task in words, such as {@code put a clean mug in desk}. */
    public String instruction() {
        return instruction(taskSentence);
    }

    /** A plan that reaches the goal, in commands; empty in games of the old release. */
    public List<String> walkthrough() {
        return walkthrough;
    }

    /** Goals as people put them, from the annotations of the game; often empty. */
    public List<String> humanGoals() {
        return humanGoals;
    }

    /** SHA-256 of the game file. */
    public String contentHash() {
        return contentHash;
    }

    /** True if the compiled engine knows this game's domain, grammar and goal. */
    public boolean isCompiled() {
        return compiled.isPresent();
    }

    /** A session at the start of the game, on the fastest engine that plays it. */
    public GameSession open() {
        return open(Engine.AUTO, taskSentence);
    }

    /** A session at the start of the game. */
    public GameSession open(Engine engine) {
        return open(engine, taskSentence);
    }

    /** A session whose task is put in other words, one of {@link #humanGoals()}. */
    public GameSession openWithGoal(Engine engine, String goal) {
        return open(engine, GrammarReader.plainText(TASK + goal));
    }

    private GameSession open(Engine engine, String sentence) {
        World world =
                engine == Engine.AUTO && compiled.isPresent()
                        ? compiled.get()
                        : new InterpretedWorld(domain, problem, grammar);
        return world.open(sentence);
    }

    /** What stands between {@code Your task is to:} and the final full stop. */
    static String instruction(String sentence) {
        String words = sentence.startsWith(TASK) ? sentence.substring(TASK.length()) : sentence;
        return words.endsWith(".") ? words.substring(0, words.length() - 1) : words;
    }

    @Override
    public String toString() {
        return id;
    }
}
