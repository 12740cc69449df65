package io.agentprm.env.alfworld.pddl;

import java.util.List;

/** A symbol or a parenthesised form, with its place in the text. */
sealed interface Sexp {
    int offset();

    /** A token, in lower case. */
    record Symbol(String text, int offset) implements Sexp {
        boolean isVariable() {
            return text.charAt(0) == '?';
        }
    }

    /** A form in parentheses. */
    record Form(List<Sexp> items, int offset) implements Sexp {
        /** First symbol, or the empty string. */
        String head() {
            return !items.isEmpty() && items.get(0) instanceof Symbol symbol ? symbol.text() : "";
        }

        List<Sexp> tail() {
            return items.subList(1, items.size());
        }
    }
}
