package io.agentprm.cli.play;

import io.agentprm.cli.game.Playground;
import io.agentprm.cli.web.PlayServer;
import io.agentprm.core.RunException;
import io.agentprm.core.context.StopSignal;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How the page is served. */
final class WebOptions {
    /** Time to finish what is being done. */
    private static final Duration LONGEST_STOP = Duration.ofMinutes(2);

    /** Time to close models and say so. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(20);

    private static final int LAST_PORT = 65_535;

    @Option(
            names = "--web",
            required = true,
            description = "Play in a browser on this machine instead of the terminal.")
    private boolean web;

    @Option(
            names = "--port",
            defaultValue = "8765",
            description = "Port of the page; 0 takes any that is free (default: 8765).")
    private int port;

    @Option(
            names = "--address",
            defaultValue = "127.0.0.1",
            description =
                    "Address or name to listen on (default: 127.0.0.1, this machine only). With"
                            + " another one, everybody who can reach it can play and record.")
    private String address;

    @Option(
            names = "--sessions",
            defaultValue = "8",
            description = "Most browsers that play at a time (default: 8).")
    private int sessions;

    /** Serves until a stop is asked for, by Ctrl-C as a rule. */
    void serve(Playground playground, StopSignal stop, PrintWriter out) {
        if (sessions < 1) {
            throw new RunException("--sessions must be at least 1, was " + sessions);
        }
        try (StopSignal.Watch watch = stop.watch(LONGEST_STOP, LAST_WORDS);
                PlayServer server = PlayServer.start(playground, listening(), sessions)) {
            if (!listening().getAddress().isLoopbackAddress()) {
                out.println(
                        "Warning: "
                                + address
                                + " can be reached from other machines; whoever does can play and"
                                + " record, and nothing is encrypted.");
            }
            if (!playground.recorder().inWords().isEmpty()) {
                out.println("Recording: " + playground.recorder().inWords() + ".");
            }
            out.println("Play at " + server.address() + " and end with Ctrl-C.");
            out.flush();
            stop.await();
        }
        out.println(
                "Closed."
                        + (playground.recorder().inWords().isEmpty()
                                ? ""
                                : " Recorded: " + playground.recorder().inWords() + "."));
    }

    private InetSocketAddress listening() {
        if (port < 0 || port > LAST_PORT) {
            throw new RunException("--port must lie between 0 and " + LAST_PORT + ", was " + port);
        }
        InetSocketAddress at = new InetSocketAddress(address, port);
        if (at.isUnresolved()) {
            throw new RunException("--address: there is no machine '" + address + "'");
        }
        return at;
    }
}
