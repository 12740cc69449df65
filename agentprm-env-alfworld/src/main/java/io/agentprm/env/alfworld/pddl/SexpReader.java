package io.agentprm.env.alfworld.pddl;

import io.agentprm.env.alfworld.AlfworldException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Reads forms. A semicolon starts a comment, parentheses and white space separate tokens, a
 * question mark starts one, and everything is put in lower case.
 */
final class SexpReader {
    private final Source source;
    private final String text;
    private final SymbolTable symbols;
    private int at;

    /**
     * @param intern gives one instance for equal symbols, so that many games share their ids
     */
    SexpReader(Source source, UnaryOperator<String> intern) {
        this.source = source;
        this.text = source.text();
        this.symbols = new SymbolTable(text, intern);
    }

    /**
     * The only form of the text. What follows its last parenthesis is ignored as long as it is
     * nothing but closing parentheses: released problems have one too many.
     */
    Sexp.Form readDocument() {
        skip();
        if (at >= text.length() || text.charAt(at) != '(') {
            throw source.error(at, "expected '(' of a (define ...) form; the text is not PDDL");
        }
        Sexp.Form form = readForm();
        for (skip(); at < text.length(); skip()) {
            if (text.charAt(at) != ')') {
                throw source.error(
                        at, "text after the end of the (define ...) form; balance the parentheses");
            }
            at++;
        }
        return form;
    }

    private Sexp.Form readForm() {
        int start = at++;
        List<Sexp> items = new ArrayList<>();
        while (true) {
            skip();
            if (at >= text.length()) {
                throw unclosed(start);
            }
            char c = text.charAt(at);
            if (c == ')') {
                at++;
                return new Sexp.Form(items, start);
            }
            items.add(c == '(' ? readForm() : readSymbol());
        }
    }

    private AlfworldException unclosed(int start) {
        return source.error(start, "this '(' is never closed; the text may be cut off");
    }

    private Sexp.Symbol readSymbol() {
        int start = at++;
        while (at < text.length() && isSymbolPart(text.charAt(at))) {
            at++;
        }
        return new Sexp.Symbol(symbols.symbol(start, at), start);
    }

    private static boolean isSymbolPart(char c) {
        return c > ' ' && c != '(' && c != ')' && c != '?' && c != ';';
    }

    private void skip() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ';') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (c <= ' ') {
                at++;
            } else {
                return;
            }
        }
    }
}
