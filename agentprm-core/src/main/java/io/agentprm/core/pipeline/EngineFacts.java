package io.agentprm.core.pipeline;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.core.config.ComponentConfig;
import java.util.SortedMap;
import java.util.TreeMap;

/** What computes a run's numbers: the engines as they were opened, not as they were asked for. */
public final class EngineFacts {
    private EngineFacts() {}

    /** As a run records it among its versions, by name. */
    static SortedMap<String, String> recorded(ComponentConfig config, InferenceEngine engine) {
        SortedMap<String, String> facts = new TreeMap<>();
        if (engine instanceof TwoEngines two) {
            facts.put("trainer", named(two.trainer(), two.training()));
            facts.put("trainer device", two.training().device());
            facts.put("engine", named(config.name(), two.running()));
        } else {
            facts.put("engine", named(config.name(), engine));
        }
        facts.put("device", engine.device());
        return facts;
    }

    /** In a few words, such as {@code onnx, ONNX Runtime 1.29.0, on cpu}. */
    public static String inWords(String name, InferenceEngine engine) {
        String library = engine.library().isPresent() ? "," : "";
        return named(name, engine) + library + " on " + engine.device();
    }

    private static String named(String name, InferenceEngine engine) {
        return name + engine.library().map(library -> ", " + library).orElse("");
    }
}
