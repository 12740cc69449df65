package io.agentprm.env.alfworld.twl2;

import io.agentprm.env.alfworld.AlfworldException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads templates, feedback and right-hand sides of rules. Reading ends silently at the first
 * character that fits nothing, as in the reference engine (released grammars rely on it); what
 * stands in braces must be understood, however.
 */
final class TextReader {
    private static final String SPECIAL = ";|\"<>[]#{}";

    private final String where;
    private final String text;
    private int at;

    private TextReader(String where, String text) {
        this.where = where;
        this.text = text;
    }

    /**
     * @param where names the text in errors
     */
    static Piece read(String where, String text) {
        return new TextReader(where, text).readAll();
    }

    /** {@code pred(a: type, b: type) & ...}. */
    static Query readQuery(String where, String text) {
        TextReader reader = new TextReader(where, text);
        Query query = reader.query();
        reader.skipSpace();
        if (reader.at < text.length()) {
            throw reader.error("expected '&' or the end of the condition");
        }
        return query;
    }

    /** The part of a sentence in plain words that a grammar would print. */
    static String plainPrefix(String sentence) {
        int end = 0;
        while (end < sentence.length() && SPECIAL.indexOf(sentence.charAt(end)) < 0) {
            end++;
        }
        return sentence.substring(0, end);
    }

    private Piece readAll() {
        skipStart();
        List<Piece> pieces = new ArrayList<>();
        while (at < text.length()) {
            while (at < text.length() && text.charAt(at) == '\t') {
                at++;
            }
            Optional<Piece> piece = at < text.length() ? piece() : Optional.empty();
            if (piece.isEmpty()) {
                break;
            }
            pieces.add(piece.get());
        }
        return pieces.size() == 1 ? pieces.get(0) : new Piece.Sequence(List.copyOf(pieces));
    }

    private void skipStart() {
        skipSpace();
        while (text.startsWith("//", at)) {
            int end = text.indexOf('\n', at);
            at = end < 0 ? text.length() : end;
            skipSpace();
        }
    }

    private Optional<Piece> piece() {
        char c = text.charAt(at);
        return switch (c) {
            case '#' -> nonTerminal();
            case '{' -> Optional.of(braces());
            case '[' -> listing();
            case '"' -> quoted();
            default -> SPECIAL.indexOf(c) >= 0 ? Optional.empty() : Optional.of(terminal());
        };
    }

    private Piece terminal() {
        int start = at;
        while (at < text.length() && SPECIAL.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String words = text.substring(start, at);
        return words.equals(GrammarReader.TASK_MARK)
                ? new Piece.TaskSentence()
                : new Piece.Terminal(words);
    }

    private Optional<Piece> quoted() {
        int end = text.indexOf('"', at + 1);
        if (end < 0) {
            return Optional.empty();
        }
        Piece piece = new Piece.Terminal(text.substring(at + 1, end));
        at = end + 1;
        return Optional.of(piece);
    }

    private Optional<Piece> nonTerminal() {
        int end = at + 1;
        while (end < text.length() && isRuleName(text.charAt(end))) {
            end++;
        }
        if (end == at + 1 || end >= text.length() || text.charAt(end) != '#') {
            return Optional.empty();
        }
        Piece piece = new Piece.NonTerminal(text.substring(at + 1, end));
        at = end + 1;
        return Optional.of(piece);
    }

    private static boolean isRuleName(char c) {
        return Character.isLetterOrDigit(c)
                || Character.isWhitespace(c)
                || "_()/!<>-,.".indexOf(c) >= 0;
    }

    private Optional<Piece> listing() {
        int open = at++;
        skipSpace();
        if (at >= text.length() || text.charAt(at) != '{') {
            at = open;
            return Optional.empty();
        }
        Piece inner = braces();
        skipSpace();
        expect(']');
        return Optional.of(
                inner instanceof Piece.ForEach each
                        ? new Piece.Listing(each.item(), Optional.of(each.query()))
                        : new Piece.Listing(inner, Optional.empty()));
    }

    private Piece braces() {
        expect('{');
        skipSpace();
        Piece item;
        if (at < text.length() && text.charAt(at) == '#') {
            item = nonTerminal().orElseThrow(() -> error("expected #rule# in braces"));
        } else {
            item = new Piece.Value(expression());
        }
        skipSpace();
        if (at < text.length() && text.charAt(at) == '|') {
            at++;
            item = new Piece.ForEach(item, query());
            skipSpace();
        }
        expect('}');
        return item;
    }

    private Expression expression() {
        List<Expression> options = new ArrayList<>();
        options.add(sum());
        while (acceptWord("or")) {
            options.add(sum());
        }
        return options.size() == 1 ? options.get(0) : new Expression.FirstOf(List.copyOf(options));
    }

    private Expression sum() {
        List<Expression> parts = new ArrayList<>();
        parts.add(term());
        skipSpace();
        while (at < text.length() && text.charAt(at) == '+') {
            at++;
            parts.add(term());
            skipSpace();
        }
        return parts.size() == 1 ? parts.get(0) : new Expression.Sum(List.copyOf(parts));
    }

    private Expression term() {
        skipSpace();
        if (at < text.length() && (text.charAt(at) == '\'' || text.charAt(at) == '"')) {
            int end = text.indexOf(text.charAt(at), at + 1);
            if (end < 0) {
                throw error("this quotation is never closed");
            }
            Expression quoted = new Expression.Quoted(text.substring(at + 1, end));
            at = end + 1;
            return quoted;
        }
        String variable = name("a variable or a quoted text");
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            return new Expression.Property(variable, attribute());
        }
        return new Expression.Property(variable, Expression.Attribute.NAME);
    }

    private Expression.Attribute attribute() {
        int start = at;
        String name = name("an attribute");
        for (Expression.Attribute attribute : Expression.Attribute.values()) {
            if (attribute.name().toLowerCase(Locale.ROOT).equals(name)) {
                return attribute;
            }
        }
        at = start;
        throw error(
                "unknown attribute '"
                        + name
                        + "'; supported are name, indefinite, definite and id");
    }

    private Query query() {
        List<Query.Atom> atoms = new ArrayList<>();
        do {
            String predicate = name("a predicate");
            skipSpace();
            expect('(');
            List<Query.Placeholder> arguments = new ArrayList<>();
            skipSpace();
            while (at < text.length() && text.charAt(at) != ')') {
                String name = name("a placeholder");
                skipSpace();
                expect(':');
                arguments.add(new Query.Placeholder(name, name("a type")));
                skipSpace();
                if (at < text.length() && text.charAt(at) == ',') {
                    at++;
                    skipSpace();
                }
            }
            expect(')');
            atoms.add(new Query.Atom(predicate, List.copyOf(arguments)));
            skipSpace();
        } while (accept('&'));
        return new Query(List.copyOf(atoms));
    }

    private String name(String what) {
        skipSpace();
        int start = at;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at))
                        || "_-'".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        if (at == start) {
            throw error("expected " + what);
        }
        return text.substring(start, at);
    }

    private boolean acceptWord(String word) {
        skipSpace();
        int end = at + word.length();
        if (text.startsWith(word, at)
                && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)))) {
            at = end;
            return true;
        }
        return false;
    }

    private boolean accept(char c) {
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char c) {
        if (!accept(c)) {
            throw error("expected '" + c + "'");
        }
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private AlfworldException error(String problem) {
        return new AlfworldException(
                where + ": " + problem + " at character " + (at + 1) + " of \"" + text + "\"");
    }
}
