package consumer;

import io.agentprm.core.RunException;
import io.agentprm.core.plugin.Plugins;
import io.agentprm.core.plugin.ProviderKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * In a JAR with merged service files all providers are found. In one without, some are missing, and
 * the message says what there is and where it was looked for.
 */
public final class InOneJar {
    /** Policies of two modules, whose service files have the same name. */
    private static final List<String> POLICIES = List.of("best-of-n", "toy-expert");

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> missing = missing();
        if (arguments.length == 0) {
            missing.forEach(System.out::println);
            return;
        }
        if (!missing.isEmpty()) {
            throw new AssertionError(missing);
        }
        String printed = printedIn(arguments[0]);
        System.out.println("Without the transformer: " + printed);
        if (!printed.matches("(?s)there is no policy '(best-of-n|toy-expert)'.*; found: \\[.+\\]; looked in: \\[.+\\].*")) {
            throw new AssertionError("a JAR with overwritten service files says: " + printed);
        }
    }

    private static List<String> missing() {
        List<String> messages = new ArrayList<>();
        for (String name : POLICIES) {
            try {
                Plugins.discover().find(ProviderKind.POLICY, name);
            } catch (RunException e) {
                messages.add(e.getMessage());
            }
        }
        return messages;
    }

    private static String printedIn(String jar) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                jar,
                                InOneJar.class.getName())
                        .redirectErrorStream(true)
                        .start();
        String printed = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return printed;
    }
}
