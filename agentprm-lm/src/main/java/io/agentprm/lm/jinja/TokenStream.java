package io.agentprm.lm.jinja;

import io.agentprm.lm.jinja.Token.Kind;
import java.util.List;

/** The tokens of a template, read from the first to the last. */
final class TokenStream {
    private final String name;
    private final List<Token> tokens;
    private int at;

    TokenStream(String name, List<Token> tokens) {
        this.name = name;
        this.tokens = tokens;
    }

    Token peek() {
        return tokens.get(at);
    }

    Token next() {
        return tokens.get(at == tokens.size() - 1 ? at : at++);
    }

    boolean sees(Kind kind) {
        return peek().kind() == kind;
    }

    boolean seesName(String word) {
        return peek().is(Kind.NAME, word);
    }

    boolean seesOperator(String sign) {
        return peek().is(Kind.OPERATOR, sign);
    }

    boolean takesName(String word) {
        return takes(seesName(word));
    }

    boolean takesOperator(String sign) {
        return takes(seesOperator(sign));
    }

    private boolean takes(boolean seen) {
        if (seen) {
            next();
        }
        return seen;
    }

    String name() {
        return expect(Kind.NAME, "a name").text();
    }

    void operator(String sign) {
        if (!takesOperator(sign)) {
            throw unexpected("'" + sign + "'");
        }
    }

    void word(String word) {
        if (!takesName(word)) {
            throw unexpected("'" + word + "'");
        }
    }

    Token expect(Kind kind, String wanted) {
        if (!sees(kind)) {
            throw unexpected(wanted);
        }
        return next();
    }

    JinjaException unexpected(String wanted) {
        return JinjaException.at(
                name, peek().line(), "expected " + wanted + ", found '" + peek().text() + "'");
    }

    String template() {
        return name;
    }
}
