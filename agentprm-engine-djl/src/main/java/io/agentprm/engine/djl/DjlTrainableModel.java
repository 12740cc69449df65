package io.agentprm.engine.djl;

import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.lm.UpdateReport;
import io.agentprm.lm.checkpoint.AdapterConfig;
import io.agentprm.lm.checkpoint.CompanionFiles;
import io.agentprm.lm.checkpoint.ElementType;
import io.agentprm.lm.checkpoint.LoraAdapter;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.SafetensorsFile;
import io.agentprm.lm.checkpoint.SafetensorsWriter;
import io.agentprm.lm.checkpoint.TensorData;
import io.agentprm.lm.checkpoint.TensorShape;
import io.agentprm.lm.decode.ModelFiles;
import io.agentprm.lm.decode.NativeGate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A model on PyTorch whose weights change. */
final class DjlTrainableModel extends DjlLanguageModel implements TrainableModel {
    private static final String CHECKPOINT = "trainer.safetensors";
    private static final String COUNTERS = "trainer.counters";

    /** Counters are kept as 24-bit pieces, which float32 holds exactly. */
    private static final int PIECE = 24;

    private final Optional<AdapterConfig> adapter;
    private final CompanionFiles companions;
    private final Trainer trainer;

    DjlTrainableModel(
            Decoder decoder,
            ModelFiles files,
            ModelDirectory origin,
            DjlConfig settings,
            NativeGate gate,
            OptimizerOptions options) {
        super(decoder, files, settings, gate);
        this.adapter = origin.adapter().map(LoraAdapter::config);
        this.companions = origin.companions();
        this.trainer = new Trainer(decoder, options, settings.recomputeLayers());
    }

    @Override
    public UpdateReport step(List<TrainingRow> batch, LossFunction loss, UpdateOptions options) {
        batch.forEach(row -> requireFit(row.tree()));
        return run(
                () -> {
                    long before = trainer.tokens();
                    UpdateReport report = trainer.step(batch, loss, options);
                    countTokens(trainer.tokens() - before);
                    forgetCaches();
                    return report;
                });
    }

    @Override
    public LanguageModel snapshot() {
        return frozenCopy();
    }

    @Override
    public void saveCheckpoint(Path directory) {
        writing(
                () ->
                        SafetensorsWriter.write(
                                directory.resolve(CHECKPOINT), state(), ElementType.F32));
    }

    /** All of it is one native call, so that the end of the process can't cut it short. */
    private void writing(Runnable write) {
        run(
                () -> {
                    write.run();
                    return true;
                });
    }

    private List<TensorData> state() {
        List<TensorData> tensors = new ArrayList<>(weights());
        tensors.addAll(trainer.optimizer().state());
        long tokens = tokensComputed();
        float[] counters = {
            trainer.skipped(), tokens & ((1 << PIECE) - 1), (float) (tokens >> PIECE)
        };
        tensors.add(TensorData.of(COUNTERS, TensorShape.of(counters.length), counters));
        return tensors;
    }

    @Override
    public void restoreCheckpoint(Path directory) {
        try (SafetensorsFile file = SafetensorsFile.open(directory.resolve(CHECKPOINT))) {
            run(
                    () -> {
                        decoder().fromCheckpoint(file, "", decoder().trained());
                        trainer.optimizer().restore(file);
                        float[] counters = file.toArray(COUNTERS);
                        trainer.setSkipped((int) counters[0]);
                        setTokensComputed((long) counters[1] + ((long) counters[2] << PIECE));
                        forgetCaches();
                        return true;
                    });
        }
    }

    private List<TensorData> weights() {
        return decoder().toCheckpoint("", decoder().trained());
    }

    /** {@inheritDoc} Of an adapter, in PEFT's layout, over the base where it lies. */
    @Override
    public void save(Path directory) {
        writing(() -> saveNow(directory));
    }

    private void saveNow(Path directory) {
        List<TensorData> tensors = weights();
        if (adapter.isPresent()) {
            ModelDirectory.createAdapter(
                    directory, adapter.get(), tensors, companions, files().stopTokenIds());
        } else {
            ModelDirectory.create(
                    directory, decoder().config(), tensors, ElementType.F32, companions);
        }
    }
}
