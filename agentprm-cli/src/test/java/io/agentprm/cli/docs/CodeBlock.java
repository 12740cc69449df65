package io.agentprm.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fenced block of a page.
 *
 * @param line number of its first line of code, from 1
 * @param language what the fence says; empty if nothing
 * @param file the name that the sentence before it gives it, where that ends with the name in back
 *     ticks and a colon
 */
record CodeBlock(int line, String language, String text, Optional<String> file) {
    private static final Pattern NAMED = Pattern.compile(".*`([\\w-]+\\.\\w+)`:\\s*");
    private static final String FENCE = "```";

    static List<CodeBlock> of(Path page) throws IOException {
        List<String> lines = Files.readAllLines(page);
        List<CodeBlock> blocks = new ArrayList<>();
        String sentence = "";
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.strip().startsWith(FENCE)) {
                int indent = line.indexOf(FENCE);
                int start = i + 1;
                StringBuilder text = new StringBuilder();
                for (i++; !lines.get(i).strip().equals(FENCE); i++) {
                    String code = lines.get(i);
                    text.append(code.substring(Math.min(indent, code.length()))).append('\n');
                }
                Matcher named = NAMED.matcher(sentence);
                blocks.add(
                        new CodeBlock(
                                start + 1,
                                lines.get(start - 1).strip().substring(FENCE.length()),
                                text.toString(),
                                named.matches() ? Optional.of(named.group(1)) : Optional.empty()));
                sentence = "";
            } else if (!line.isBlank()) {
                sentence = line;
            }
        }
        return blocks;
    }
}
