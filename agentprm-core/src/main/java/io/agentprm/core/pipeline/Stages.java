package io.agentprm.core.pipeline;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.context.ContextFactory;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.run.RunDirectory;
import io.agentprm.core.run.Stage;
import java.nio.file.Path;

/** The stages of a run: each is done once, whole or not at all, and gets a context of its own. */
final class Stages {
    private final RunDirectory directory;
    private final ContextFactory contexts;
    private final RandomSource random;

    Stages(RunDirectory directory, ContextFactory contexts, RandomSource random) {
        this.directory = directory;
        this.contexts = contexts;
        this.random = random;
    }

    DurableFiles files() {
        return directory.files();
    }

    /** Records what computes the run's numbers, known once the engine is open. */
    void record(ComponentConfig config, InferenceEngine engine) {
        directory.record(EngineFacts.recorded(config, engine));
    }

    /** Fills the directory of a stage. */
    @FunctionalInterface
    interface Work {
        void fill(Path directory, RunContext context);
    }

    /** The directory of the finished stage; does the work first if it is missing. */
    Path once(String name, Work work) {
        Stage stage = directory.stage(name);
        return stage.runOnce(
                filling -> {
                    try (ContextFactory.StageContext context =
                            contexts.stage(random.derive(name), filling, stage.checkpoints())) {
                        work.fill(filling, context.context());
                    }
                });
    }

    /** Whether a stage is finished. */
    boolean complete(String name) {
        return directory.stage(name).complete();
    }

    /** Like {@link #once}, but goes on with what an interrupted attempt left, file by file. */
    Path continued(String name, Work work) {
        return directory
                .stage(name)
                .continueOnce(filling -> work.fill(filling, contexts.plain(random.derive(name))));
    }
}
