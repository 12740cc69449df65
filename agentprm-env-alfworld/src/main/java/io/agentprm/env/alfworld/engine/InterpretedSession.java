package io.agentprm.env.alfworld.engine;

import io.agentprm.env.alfworld.pddl.Problem;
import io.agentprm.env.alfworld.pddl.Variable;
import io.agentprm.env.alfworld.twl2.Grammar;
import io.agentprm.env.alfworld.twl2.Query.Placeholder;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Plays a game by interpreting its domain and grammar. */
final class InterpretedSession implements GameSession {
    /** An operator with its parameters. */
    private record Move(Operator operator, int[] values) {
        Optional<Bindings> bindings() {
            Optional<Bindings> bindings = Bindings.NONE;
            List<Variable> parameters = operator.schema().parameters();
            for (int i = 0; i < values.length; i++) {
                Variable parameter = parameters.get(i);
                Placeholder placeholder =
                        new Placeholder(parameter.name().substring(1), parameter.type());
                bindings = Bindings.bind(bindings, placeholder, values[i]);
            }
            return bindings;
        }
    }

    private final InterpretedWorld world;
    private final String taskSentence;
    private FactStore state;
    private FactStore textFacts;
    private TreeMap<String, Move> moves = new TreeMap<>();
    private List<String> admissible = List.of();
    private boolean accepted = true;
    private boolean won;

    InterpretedSession(InterpretedWorld world, String taskSentence) {
        this.world = world;
        this.taskSentence = taskSentence;
        this.state = world.initial;
        this.textFacts = world.initial;
        reset();
    }

    private InterpretedSession(InterpretedSession other) {
        this.world = other.world;
        this.taskSentence = other.taskSentence;
        this.state = other.state.copy();
        this.textFacts = other.textFacts.copy();
        this.moves = other.moves;
        this.admissible = other.admissible;
        this.accepted = other.accepted;
        this.won = other.won;
    }

    @Override
    public String reset() {
        state = world.initial.copy();
        textFacts = world.initial.copy();
        accepted = true;
        look();
        StringBuilder intro = new StringBuilder();
        writer().writeRule(Grammar.INTRO, Bindings.NONE, intro);
        return intro.toString();
    }

    @Override
    public String step(String command) {
        Move move = moves.get(CommandText.strip(command));
        accepted = move != null;
        if (move == null) {
            return NOTHING_HAPPENS;
        }
        move.operator().applyTo(state, move.values());
        move.operator().applyToText(textFacts, move.values());
        look();
        return writer().write(move.operator().text().feedback(), move.bindings());
    }

    @Override
    public List<String> admissible() {
        return admissible;
    }

    @Override
    public boolean accepted() {
        return accepted;
    }

    @Override
    public boolean won() {
        return won;
    }

    @Override
    public GameSession copy() {
        return new InterpretedSession(this);
    }

    @Override
    public void forEachFact(Problem.FactVisitor visitor) {
        state.forEach(visitor);
    }

    /** Finds out what can be done now and whether the goal holds. */
    private void look() {
        TreeMap<String, Move> found = new TreeMap<>(CommandText.ORDER);
        TextWriter writer = writer();
        for (Operator operator : world.operators) {
            for (int[] values : operator.applicable(state)) {
                Move move = new Move(operator, values);
                found.putIfAbsent(writer.write(operator.text().template(), move.bindings()), move);
            }
        }
        moves = found;
        admissible = List.copyOf(found.keySet());
        won = world.goalMatcher.anyHolds(world.goal, state, world.goalMatcher.empty());
    }

    private TextWriter writer() {
        return new TextWriter(world.grammar, world.problem, world.names, taskSentence, textFacts);
    }
}
