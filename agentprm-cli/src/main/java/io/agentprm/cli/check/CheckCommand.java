package io.agentprm.cli.check;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the checks. */
@Command(
        name = "check",
        description = "Compare with recordings of the original; exit code 1 if something differs.",
        subcommands = {
            AlfworldCheckCommand.class,
            WebshopCheckCommand.class,
            ModelCheckCommand.class
        })
public final class CheckCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to check");
    }
}
