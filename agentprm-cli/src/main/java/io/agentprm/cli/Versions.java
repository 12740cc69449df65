package io.agentprm.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Version of this program and of the machine it runs on. */
final class Versions implements IVersionProvider {
    /** Version from the JAR's manifest; {@code development} when run from class files. */
    static String product() {
        return Optional.ofNullable(Versions.class.getPackage().getImplementationVersion())
                .orElse("development");
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
