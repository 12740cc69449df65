package io.agentprm.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A type that is meant for plugins and may still change in any release, whatever {@link ApiVersion}
 * says. Types inside have the status of the one around them.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@Stable(since = "1.0")
public @interface Experimental {
    /** Version of the API that brought the type, such as {@code 1.0}. */
    String since();
}
