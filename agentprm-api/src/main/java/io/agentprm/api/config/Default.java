package io.agentprm.api.config;

import io.agentprm.api.Stable;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Default of a configuration component in the notation of YAML ({@code "0.95"}, {@code "[1, 2]"},
 * {@code "to-go"}). A component without it is required, unless its type is {@code Optional}, {@code
 * List}, {@code Map} (empty by default) or another configuration record all of whose components
 * have defaults. Keys are the kebab-case of component names; enum constants are written in
 * kebab-case too.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@Stable(since = "1.0")
public @interface Default {
    String value();
}
