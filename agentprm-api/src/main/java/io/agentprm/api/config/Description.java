package io.agentprm.api.config;

import io.agentprm.api.Stable;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** One or two sentences on a configuration record or component, with unit and range. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT})
@Stable(since = "1.0")
public @interface Description {
    String value();
}
