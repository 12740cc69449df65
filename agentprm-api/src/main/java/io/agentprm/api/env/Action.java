package io.agentprm.api.env;

import io.agentprm.api.Stable;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** What the agent does: a line of text or a tool call. */
@Stable(since = "1.0")
public sealed interface Action {
    /** Canonical text: equal actions have equal text. */
    String text();

    /** An action given as text, such as {@code go to drawer 1}. */
    record Text(String text) implements Action {
        public Text {
            Objects.requireNonNull(text, "text");
        }
    }

    /** A call of a named tool with named arguments. */
    record ToolCall(String tool, Map<String, String> arguments) implements Action {
        public ToolCall {
            Objects.requireNonNull(tool, "tool");
            arguments = Map.copyOf(arguments);
        }

        @Override
        public String text() {
            StringBuilder text = new StringBuilder(tool).append('(');
            String separator = "";
            for (Map.Entry<String, String> argument : new TreeMap<>(arguments).entrySet()) {
                text.append(separator)
                        .append(argument.getKey())
                        .append('=')
                        .append(argument.getValue());
                separator = ", ";
            }
            return text.append(')').toString();
        }
    }

    static Action text(String text) {
        return new Text(text);
    }
}
