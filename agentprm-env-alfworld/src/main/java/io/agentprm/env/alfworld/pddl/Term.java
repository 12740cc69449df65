package io.agentprm.env.alfworld.pddl;

/** An argument: a variable, by name with its question mark, or a constant. */
public record Term(String text) {
    public boolean isVariable() {
        return text.charAt(0) == '?';
    }
}
