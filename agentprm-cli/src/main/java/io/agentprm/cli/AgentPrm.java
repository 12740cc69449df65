package io.agentprm.cli;

import io.agentprm.cli.check.CheckCommand;
import io.agentprm.cli.doctor.DoctorCommand;
import io.agentprm.cli.eval.EvalCommand;
import io.agentprm.cli.eval.PoolCommand;
import io.agentprm.cli.export.ExportCommand;
import io.agentprm.cli.play.PlayCommand;
import io.agentprm.cli.plugin.PluginsCommand;
import io.agentprm.cli.run.RunCommand;
import io.agentprm.cli.run.TrainPrmCommand;
import io.agentprm.cli.version.VersionCommand;
import io.agentprm.cli.version.Versions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The root of the command tree. */
@Command(
        name = "agentprm",
        description = "Trains language-model agents with process reward models.",
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:a check found a difference",
            "2:wrong usage, configuration or data",
            "3:a defect of agentprm",
            "130:stopped; the same command continues"
        },
        subcommands = {
            RunCommand.class,
            EvalCommand.class,
            PoolCommand.class,
            TrainPrmCommand.class,
            PlayCommand.class,
            PluginsCommand.class,
            ExportCommand.class,
            CheckCommand.class,
            DoctorCommand.class,
            VersionCommand.class,
            CommandLine.HelpCommand.class
        })
final class AgentPrm {
    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Show the stack trace of an error.")
    private boolean debug;

    static CommandLine commandLine() {
        AgentPrm root = new AgentPrm();
        CommandLine line = new CommandLine(root);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUsageHelpAutoWidth(true);
        line.setExecutionExceptionHandler(
                (error, command, parsed) -> Failures.report(error, command.getErr(), root.debug));
        line.setParameterExceptionHandler(Failures::usage);
        line.getSubcommands().values().forEach(AgentPrm::explain);
        return line;
    }

    /** Runs a command and says in one line what went wrong, an {@link Error} included. */
    static int execute(CommandLine line, String... arguments) {
        try {
            return line.execute(arguments);
        } catch (Error e) {
            AgentPrm root = line.getCommand();
            return Failures.report(e, line.getErr(), root.debug);
        }
    }

    /** Gives a command and those below it the option that shows its usage. */
    private static void explain(CommandLine command) {
        if (!command.getCommandSpec().optionsMap().containsKey("--help")) {
            command.addMixin("help", new HelpOption());
        }
        command.getSubcommands().values().forEach(AgentPrm::explain);
    }

    /** The option that every command has. */
    static final class HelpOption {
        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                description = "Show this help and exit.")
        private boolean requested;
    }
}
