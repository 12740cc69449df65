package io.agentprm.api;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/**
 * Says in words what went wrong with a file, for the messages of exceptions; the names of Java's
 * classes help nobody.
 */
@Experimental(since = "1.0")
public final class IoReasons {
    private IoReasons() {}

    /** The reason and, where there is one, what to do. */
    public static String of(IOException error) {
        if (error instanceof NoSuchFileException missing) {
            return "there is no " + missing.getFile() + "; check the path";
        }
        if (error instanceof AccessDeniedException denied) {
            return "no permission for "
                    + denied.getFile()
                    + "; ask for it, or choose another place";
        }
        if (error instanceof FileAlreadyExistsException exists) {
            return exists.getFile() + " is no directory; choose another place";
        }
        if (error instanceof DirectoryNotEmptyException full) {
            return full.getFile() + " is not empty";
        }
        if (error instanceof FileSystemException other) {
            return Optional.ofNullable(other.getReason()).orElseGet(other::toString);
        }
        if (error instanceof CharacterCodingException) {
            return "the text is not UTF-8; save the file as UTF-8";
        }
        if (error instanceof EOFException) {
            return "the file ends too early; it may be cut off: fetch it again";
        }
        return Optional.ofNullable(error.getMessage())
                .map(IoReasons::onOneLine)
                .orElseGet(error::toString);
    }

    /** Jackson puts the place of an error on a line of its own, among names of its own. */
    private static String onOneLine(String message) {
        return message.replaceFirst(
                "(?s)\\s*\\n at \\[Source: .*line: (\\d+), column: (\\d+)\\].*",
                " (line $1, column $2)");
    }
}
