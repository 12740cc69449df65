package io.agentprm.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A type that is public for AgentPRM's own modules: plugins leave it alone, and it may change or go
 * at any time. Types inside have the status of the one around them.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@Stable(since = "1.0")
public @interface Internal {
    /** Version of the API that brought the type, such as {@code 1.0}. */
    String since();
}
