package io.agentprm.api.env;

import io.agentprm.api.Stable;
import java.util.Objects;

/**
 * A part of an observation. Text today; more kinds may follow, so a {@code switch} needs a default.
 */
@Stable(since = "1.0")
public interface Part {
    /** The part as text, for models that read nothing else. */
    String text();

    /** Plain text. */
    record Text(String text) implements Part {
        public Text {
            Objects.requireNonNull(text, "text");
        }
    }
}
