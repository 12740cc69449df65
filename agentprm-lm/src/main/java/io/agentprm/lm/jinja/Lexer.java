package io.agentprm.lm.jinja;

import io.agentprm.lm.jinja.Token.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts a template into tokens. Blanks around tags follow Jinja2 with {@code trim_blocks} (the
 * newline after a statement or comment goes), {@code lstrip_blocks} (blanks between the begin of a
 * line and a statement or comment go), a minus sign at a tag (all blanks on that side go) and a
 * plus sign (none do); one newline at the template's end goes.
 */
final class Lexer {
    private static final Pattern OPENING = Pattern.compile("\\{([{%#])([-+]?)");
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d_]*(\\.\\d+)?([eE][-+]?\\d+)?");
    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{Nd}_]*");
    private static final Pattern OPERATOR =
            Pattern.compile("//|\\*\\*|==|!=|<=|>=|[-+*/%~<>=()\\[\\]{}.,:|;]");
    private static final Pattern RAW_BEGIN = Pattern.compile("\\s*raw\\s*(-?)%\\}\\n?");
    private static final Pattern RAW_END = Pattern.compile("\\{%([-+]?)\\s*endraw\\s*([-+]?)%\\}");

    private final String name;
    private final String source;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    /** Whether what comes next stands at the begin of a line. */
    private boolean lineStart = true;

    Lexer(String name, String source) {
        this.name = name;
        String lines = source.replace("\r\n", "\n").replace('\r', '\n');
        this.source = lines.endsWith("\n") ? lines.substring(0, lines.length() - 1) : lines;
    }

    List<Token> tokens() {
        Matcher opening = OPENING.matcher(source);
        while (opening.find(at)) {
            char kind = opening.group(1).charAt(0);
            text(source.substring(at, opening.start()), kind, opening.group(2));
            at = opening.end();
            Matcher raw = RAW_BEGIN.matcher(source).region(at, source.length());
            if (kind == '#') {
                comment();
            } else if (kind == '%' && raw.lookingAt()) {
                at = raw.end();
                raw();
            } else {
                tag(kind);
            }
        }
        text(source.substring(at), ' ', "");
        add(Kind.EOF, "the end of the template", source.length());
        return tokens;
    }

    private void text(String text, char before, String sign) {
        String kept = text;
        if (sign.equals("-")) {
            kept = Blanks.stripTrailing(text);
        } else if (sign.isEmpty() && (before == '%' || before == '#')) {
            int line = text.lastIndexOf('\n') + 1;
            if ((line > 0 || lineStart) && Blanks.strip(text.substring(line)).isEmpty()) {
                kept = text.substring(0, line);
            }
        }
        if (!kept.isEmpty()) {
            add(Kind.TEXT, kept, at);
        }
    }

    private void comment() {
        int end = source.indexOf("#}", at);
        if (end < 0) {
            throw wrong(at, "a comment {# is not closed by #}");
        }
        char sign = source.charAt(end - 1);
        at = end + 2;
        afterTag(sign, true);
    }

    private void raw() {
        Matcher end = RAW_END.matcher(source);
        if (!end.find(at)) {
            throw wrong(at, "raw is not closed by endraw");
        }
        String text = source.substring(at, end.start());
        text(text, '%', end.group(1));
        at = end.end();
        afterTag(end.group(2).isEmpty() ? ' ' : end.group(2).charAt(0), true);
    }

    private void tag(char kind) {
        String closing = kind == '{' ? "}}" : "%}";
        add(Kind.BEGIN, kind == '{' ? "{{" : "{%", at);
        Deque<Character> open = new ArrayDeque<>();
        while (true) {
            skipBlanks();
            if (at >= source.length()) {
                throw wrong(at, "a tag is not closed by " + closing);
            }
            char sign = source.charAt(at);
            boolean signed = (sign == '-' || sign == '+') && source.startsWith(closing, at + 1);
            if (open.isEmpty() && (signed || source.startsWith(closing, at))) {
                at += signed ? 3 : 2;
                add(Kind.END, closing, at);
                afterTag(signed ? sign : ' ', kind == '%');
                return;
            }
            expressionToken(open);
        }
    }

    /** What goes after a closed tag. */
    private void afterTag(char sign, boolean statement) {
        int from = at;
        if (sign == '-') {
            skipBlanks();
        } else if (sign != '+' && statement && source.startsWith("\n", at)) {
            at++;
        }
        lineStart = at > from && source.charAt(at - 1) == '\n';
    }

    private void expressionToken(Deque<Character> open) {
        char c = source.charAt(at);
        if (c == '\'' || c == '"') {
            string(c);
        } else if (!matched(NUMBER, Kind.INTEGER)
                && !matched(NAME, Kind.NAME)
                && !matched(OPERATOR, Kind.OPERATOR)) {
            throw wrong(at, "unexpected character '" + c + "'");
        }
        if ("([{".indexOf(c) >= 0) {
            open.push(c);
        } else if (")]}".indexOf(c) >= 0 && !open.isEmpty()) {
            open.pop();
        }
    }

    private boolean matched(Pattern pattern, Kind kind) {
        Matcher matcher = pattern.matcher(source).region(at, source.length());
        if (!matcher.lookingAt()) {
            return false;
        }
        boolean fraction =
                kind == Kind.INTEGER && (matcher.group(1) != null || matcher.group(2) != null);
        add(fraction ? Kind.FLOAT : kind, matcher.group(), at);
        at = matcher.end();
        return true;
    }

    private void string(char quote) {
        int begin = at++;
        StringBuilder text = new StringBuilder();
        while (at < source.length() && source.charAt(at) != quote) {
            char c = source.charAt(at++);
            if (c == '\\' && at < source.length()) {
                escape(text);
            } else {
                text.append(c);
            }
        }
        if (at >= source.length()) {
            throw wrong(begin, "a string is not closed by " + quote);
        }
        at++;
        add(Kind.STRING, text.toString(), begin);
    }

    private void escape(StringBuilder text) {
        char c = source.charAt(at++);
        switch (c) {
            case 'n' -> text.append('\n');
            case 't' -> text.append('\t');
            case 'r' -> text.append('\r');
            case 'b' -> text.append('\b');
            case 'f' -> text.append('\f');
            case '\\', '\'', '"' -> text.append(c);
            case '\n' -> {}
            case 'x' -> codePoint(text, 2);
            case 'u' -> codePoint(text, 4);
            case 'U' -> codePoint(text, 8);
            // As in Python, what is no escape keeps its backslash.
            default -> text.append('\\').append(c);
        }
    }

    private void codePoint(StringBuilder text, int digits) {
        try {
            text.appendCodePoint(Integer.parseInt(source.substring(at, at + digits), 16));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw wrong(at, "a character escape needs " + digits + " hexadecimal digits");
        }
        at += digits;
    }

    private void skipBlanks() {
        while (at < source.length() && Blanks.isBlank(source.charAt(at))) {
            at++;
        }
    }

    private void add(Kind kind, String text, int place) {
        tokens.add(new Token(kind, text, line(place)));
    }

    private int line(int place) {
        return 1 + (int) source.substring(0, place).chars().filter(c -> c == '\n').count();
    }

    private JinjaException wrong(int place, String what) {
        return JinjaException.at(name, line(Math.min(place, source.length())), what);
    }
}
