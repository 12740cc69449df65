package io.agentprm.cli.version;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints versions. */
@Command(name = "version", description = "Print the versions of agentprm and Java.")
public final class VersionCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
        for (String line : new Versions().getVersion()) {
            spec.commandLine().getOut().println(line);
        }
    }
}
