package io.agentprm.core.files;

import io.agentprm.api.IoReasons;
import io.agentprm.core.RunException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Holds a directory or file for one process. The lock is the operating system's, so a process that
 * is killed holds nothing; the process number in the file is for people.
 */
public final class ProcessLock implements AutoCloseable {
    private final FileChannel channel;

    private ProcessLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock.
     *
     * @param file of the lock, which stays behind
     * @param held what it stands for
     * @throws RunException if another process has it
     */
    public static ProcessLock take(Path file, Path held) {
        try {
            FileChannel channel =
                    FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            if (tryLock(channel).isEmpty()) {
                channel.close();
                String holder = Files.readString(file, StandardCharsets.UTF_8).strip();
                throw new RunException(
                        held
                                + " is being written by process "
                                + (holder.isEmpty() ? "(unknown)" : holder)
                                + "; wait for it, end it, or choose another place");
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(
                            Long.toString(ProcessHandle.current().pid())
                                    .getBytes(StandardCharsets.UTF_8)));
            return new ProcessLock(channel);
        } catch (IOException e) {
            throw new RunException(file + ": cannot be locked: " + IoReasons.of(e), e);
        }
    }

    private static Optional<FileLock> tryLock(FileChannel channel) throws IOException {
        try {
            return Optional.ofNullable(channel.tryLock());
        } catch (OverlappingFileLockException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new RunException("a lock cannot be released: " + IoReasons.of(e), e);
        }
    }
}
