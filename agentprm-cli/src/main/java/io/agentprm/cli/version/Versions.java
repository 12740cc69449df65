package io.agentprm.cli.version;

import java.lang.module.ModuleDescriptor;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.IVersionProvider;

/** Version of this program and of the machine it runs on. */
public final class Versions implements IVersionProvider {
    /**
     * Version from the JAR's manifest, or on the module path from the module, where manifests do
     * not count; {@code development} when run from class files.
     */
    public static String product() {
        return Optional.ofNullable(Versions.class.getPackage().getImplementationVersion())
                .or(Versions::ofModule)
                .orElse("development");
    }

    private static Optional<String> ofModule() {
        return Optional.ofNullable(Versions.class.getModule().getDescriptor())
                .flatMap(ModuleDescriptor::rawVersion);
    }

    /** Versions that decide a run's numbers, by name; a run directory records them. */
    public static SortedMap<String, String> recorded() {
        SortedMap<String, String> versions = new TreeMap<>();
        versions.put("agentprm", product());
        versions.put("java", Runtime.version().toString());
        versions.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        return versions;
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "agentprm " + product(),
            "Java " + Runtime.version() + " (" + System.getProperty("java.vm.name") + ")",
            System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }
}
