package io.agentprm.env.alfworld.household;

import io.agentprm.env.alfworld.AlfworldException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A word, or a list in parentheses. Comments are dropped; the spelling of words is kept. */
sealed interface Expression {
    Pattern TOKEN = Pattern.compile(";[^\n]*|[()]|[^\\s();]+");

    record Word(String text) implements Expression {
        @Override
        public String toString() {
            return text;
        }
    }

    record Group(List<Expression> parts) implements Expression {
        public Group {
            parts = List.copyOf(parts);
        }

        /** The word at the front; empty text if there is none. */
        String head() {
            return !parts.isEmpty() && parts.get(0) instanceof Word word ? word.text() : "";
        }

        List<Expression> rest() {
            return parts.subList(Math.min(1, parts.size()), parts.size());
        }

        @Override
        public String toString() {
            return parts.stream()
                    .map(Expression::toString)
                    .collect(Collectors.joining(" ", "(", ")"));
        }
    }

    /**
     * The one list that the text consists of.
     *
     * @throws AlfworldException if a list is not closed
     */
    static Group read(String text) {
        Deque<List<Expression>> open = new ArrayDeque<>();
        open.push(new ArrayList<>());
        Matcher token = TOKEN.matcher(text);
        while (token.find()) {
            String word = token.group();
            if (word.equals("(")) {
                open.push(new ArrayList<>());
            } else if (word.equals(")")) {
                List<Expression> done = open.pop();
                if (open.isEmpty()) {
                    return first(done); // released problems close one list too many
                }
                open.peek().add(new Group(done));
            } else if (!word.startsWith(";")) {
                open.peek().add(new Word(word));
            }
        }
        if (open.size() > 1) {
            throw new AlfworldException(
                    "the problem ends with " + (open.size() - 1) + " lists open; is it cut off?");
        }
        return first(open.peek());
    }

    private static Group first(List<Expression> read) {
        if (read.size() == 1 && read.get(0) instanceof Group group) {
            return group;
        }
        throw new AlfworldException("the problem is not one list (define ...)");
    }
}
