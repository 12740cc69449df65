package io.agentprm.cli.doctor;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.run.RunContext;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.config.ConfigException;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.pipeline.EngineFacts;
import io.agentprm.core.plugin.ComponentFactory;
import io.agentprm.core.plugin.Plugin;
import io.agentprm.core.plugin.Plugins;
import io.agentprm.core.plugin.ProviderKind;
import io.agentprm.lm.DeviceChoice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Opens every engine with its defaults, which loads its native libraries, and notes what one that
 * could use a GPU lacks for it. One that cannot do without settings, such as a server's address, is
 * no problem.
 */
final class EngineProbe implements Probe {
    private final Supplier<Plugins> plugins;

    EngineProbe(Supplier<Plugins> plugins) {
        this.plugins = plugins;
    }

    @Override
    public List<Finding> look() {
        Plugins found = plugins.get();
        List<Finding> findings = new ArrayList<>();
        ComponentFactory factory = new ComponentFactory(found);
        for (Plugin<?> plugin : found.of(ProviderKind.INFERENCE_ENGINE)) {
            Finding finding = open(factory, plugin.name());
            findings.add(finding);
            if (finding.grade() == Finding.Grade.OK && choosesDevice(plugin)) {
                findings.add(cuda(factory, plugin.name()));
            }
        }
        if (found.of(ProviderKind.INFERENCE_ENGINE).isEmpty()) {
            findings.add(Finding.problem("engine", "none found; models cannot run"));
        }
        return findings;
    }

    private static boolean choosesDevice(Plugin<?> plugin) {
        return Arrays.stream(plugin.provider().configuration().getRecordComponents())
                .anyMatch(c -> c.getName().equals("device"));
    }

    /** What an engine lacks for CUDA, or that nobody has tried it. */
    private static Finding cuda(ComponentFactory factory, String name) {
        ComponentConfig asked =
                new ComponentConfig(name, ConfigNode.parse("device: cuda", "doctor"));
        try (InferenceEngine engine = factory.engine(asked, RunContext.ofSeed(0))) {
            return Finding.note("engine", name + " with CUDA: " + DeviceChoice.CUDA_UNTRIED);
        } catch (AgentPrmException | LinkageError e) {
            return Finding.note("engine", name + " without CUDA: " + e.getMessage());
        }
    }

    private static Finding open(ComponentFactory factory, String name) {
        try (InferenceEngine engine =
                factory.engine(ComponentConfig.of(name), RunContext.ofSeed(0))) {
            return Finding.ok(
                    "engine",
                    EngineFacts.inWords(name, engine)
                            + (engine.trains() ? ", trains and generates" : ", generates only"));
        } catch (ConfigException e) {
            return Finding.note(
                    "engine",
                    name + " needs settings (agentprm plugins " + name + "); it was not opened");
        } catch (AgentPrmException | LinkageError e) {
            return Finding.problem("engine", name + " cannot be opened: " + e.getMessage());
        }
    }
}
