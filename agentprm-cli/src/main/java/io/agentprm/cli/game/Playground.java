package io.agentprm.cli.game;

import io.agentprm.api.env.Environment;
import io.agentprm.api.run.RandomSource;

/**
 * What people play in, and what all their episodes have in common.
 *
 * @param first task of everyone who comes
 * @param seed of every random draw
 * @param player who plays, for the record
 */
public record Playground(
        Environment environment,
        Advisers advisers,
        Recorder recorder,
        TaskChoice first,
        long seed,
        String player) {
    /** Starts an attempt at a task; its seed depends on the task and the attempt's number only. */
    public Attempt start(TaskChoice chosen) {
        int number = recorder.nextAttempt(chosen.task());
        long seedOfEpisode =
                RandomSource.of(seed)
                        .derive(chosen.task().id())
                        .derive(number)
                        .derive("session")
                        .seed();
        return Attempt.start(environment, chosen.task(), number, seedOfEpisode, player);
    }
}
