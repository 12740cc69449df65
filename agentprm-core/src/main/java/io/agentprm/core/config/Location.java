package io.agentprm.core.config;

/**
 * A place in a configuration text.
 *
 * @param source file name, or what else the text came from
 * @param line from 1; 0 if the value has no line
 * @param column from 1; 0 if the value has no line
 */
public record Location(String source, int line, int column) {
    /** A place without a line, such as the command line. */
    public static Location of(String source) {
        return new Location(source, 0, 0);
    }

    @Override
    public String toString() {
        return line == 0 ? source : source + ":" + line + ":" + column;
    }
}
