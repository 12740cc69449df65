package io.agentprm.core.store;

import io.agentprm.core.RunException;
import java.nio.file.Path;

/** A data file cannot be read or written; says which, and at which line. */
public final class StoreException extends RunException {
    private static final long serialVersionUID = 1L;

    StoreException(Path file, long line, String message, Throwable cause) {
        super(file + (line > 0 ? ":" + line : "") + ": " + message, cause);
    }

    StoreException(Path file, long line, String message) {
        super(file + (line > 0 ? ":" + line : "") + ": " + message);
    }
}
