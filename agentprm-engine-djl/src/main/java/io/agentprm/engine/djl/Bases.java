package io.agentprm.engine.djl;

import ai.djl.Device;
import io.agentprm.lm.checkpoint.ModelDirectory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The base models that adapters are open over, each loaded once. Thread-safe. */
final class Bases {
    private final Map<Path, BaseWeights> open = new HashMap<>();

    /** The weights of a model, loaded if nobody holds them; to be closed by the caller. */
    synchronized BaseWeights hold(ModelDirectory model, Device device, Precision held) {
        Path key = model.path().toAbsolutePath().normalize();
        BaseWeights present = open.get(key);
        if (present != null && present.retain()) {
            return present;
        }
        BaseWeights loaded = BaseWeights.load(model, device, held);
        open.put(key, loaded);
        return loaded;
    }
}
