package io.agentprm.lm.jinja;

import java.util.List;
import java.util.Map;

/** Something that a template can call. */
@FunctionalInterface
interface Function {
    /** Calls it with arguments by place and by name. */
    Object call(List<Object> arguments, Map<String, Object> named);
}
