package io.agentprm.env.webshop.shop;

import io.agentprm.env.webshop.python.PythonText;
import java.util.Optional;

/**
 * An action as the original parses it: {@code (.+)\[(.+)\]} from the start, both greedy, on the
 * first line; what follows the last bracket does not count. The argument is in lower case.
 */
record ActionText(String name, String argument) {
    static Optional<ActionText> parse(String action) {
        int newline = action.indexOf('\n');
        String line = newline < 0 ? action : action.substring(0, newline);
        int close = line.lastIndexOf(']');
        int open = line.lastIndexOf('[', close - 2);
        if (close < 0 || open < 1) {
            return Optional.empty();
        }
        return Optional.of(
                new ActionText(
                        line.substring(0, open),
                        PythonText.lower(line.substring(open + 1, close))));
    }
}
