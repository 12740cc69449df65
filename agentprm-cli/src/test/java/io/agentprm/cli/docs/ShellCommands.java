package io.agentprm.cli.docs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * As much of a shell as the pages need: continued lines, variables, loops (their first round),
 * quotes.
 */
final class ShellCommands {
    private static final Pattern ASSIGNMENT = Pattern.compile("(\\w+)=(?:\"([^\"]*)\"|(\\S*))");
    private static final Pattern LOOP = Pattern.compile("for (\\w+) in (\\S+)[^;]*");
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");

    private ShellCommands() {}

    /** The words of each command, without what is assigned in front of it. */
    static List<List<String>> of(String text) {
        Map<String, String> variables = new HashMap<>();
        List<List<String>> commands = new ArrayList<>();
        for (String line : text.replace("\\\n", " ").split("\n|;|&&|\\|")) {
            String command = line.strip().replaceFirst("^(do|then) ", "");
            Matcher loop = LOOP.matcher(command);
            Matcher assignment = ASSIGNMENT.matcher(command);
            if (loop.matches()) {
                variables.put(loop.group(1), loop.group(2));
            } else if (assignment.matches()) {
                variables.put(
                        assignment.group(1),
                        assignment.group(2) == null ? assignment.group(3) : assignment.group(2));
            } else if (!command.isEmpty() && !command.startsWith("#") && !command.equals("done")) {
                commands.add(words(command, variables));
            }
        }
        return commands;
    }

    private static List<String> words(String command, Map<String, String> variables) {
        String expanded = command.replaceFirst(" >.*", "");
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            expanded =
                    expanded.replaceAll(
                            "\\$\\{?" + variable.getKey() + "\\b\\}?",
                            Matcher.quoteReplacement(variable.getValue()));
        }
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(expanded);
        while (word.find()) {
            String plain = word.group().replaceAll("['\"]", "");
            if (!words.isEmpty() || !ASSIGNMENT.matcher(plain).matches()) {
                words.add(plain);
            }
        }
        return words;
    }
}
