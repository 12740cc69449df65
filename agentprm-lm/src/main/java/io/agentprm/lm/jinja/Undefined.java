package io.agentprm.lm.jinja;

/**
 * The value of what is not there: false, empty, written as nothing, and an error where more is
 * asked of it.
 *
 * @param name what was asked for
 */
record Undefined(String name) {
    JinjaException used() {
        return JinjaException.of("'" + name + "' is undefined");
    }
}
