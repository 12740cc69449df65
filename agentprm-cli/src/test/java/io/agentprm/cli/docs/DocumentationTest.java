package io.agentprm.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever a page shows works: Java compiles and its tests and programs run, settings bind, data is
 * read, commands are understood and, where that is cheap, executed; links lead somewhere.
 */
class DocumentationTest {
    static final Path ROOT = root();

    /** Blocks that are not checked, by page and first words, and why. */
    private static final Map<String, String> UNCHECKED =
            Map.of(
                    "agentprm-examples/README.md: pi-0 ",
                    "what a program of three and a half minutes prints",
                    "docs/llama-cpp.md: llama-server",
                    "llama.cpp's server is no part of this project; LlamaCppTest starts it as given",
                    "docs/write-an-environment.md: mvn -B archetype:generate",
                    "the test of the archetype makes such a project and builds it",
                    "docs/write-an-environment.md: ./agentprm plugins lights",
                    "the project is made by the commands before",
                    "docs/write-an-environment.md:   pi-0",
                    "what a run of a minute prints",
                    "docs/write-an-environment.md: Rule broken",
                    "what a failing test of the reader's prints");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");

    @TempDir private static Path directory;

    @TestFactory
    Stream<DynamicNode> everyBlockIsRight() throws IOException {
        List<DynamicNode> pages = new ArrayList<>();
        for (Path file : pages()) {
            String name = name(file);
            Page page = new Page(ROOT, file, directory.resolve(name.replace('/', '-')));
            List<DynamicTest> tests = new ArrayList<>();
            for (CodeBlock block : page.blocks()) {
                if (UNCHECKED.keySet().stream()
                        .noneMatch(key -> (name + ": " + block.text()).startsWith(key))) {
                    tests.add(
                            DynamicTest.dynamicTest(
                                    name + ":" + block.line() + " " + block.language(),
                                    URI.create(file.toUri() + "?line=" + block.line()),
                                    () -> page.check(block)));
                }
            }
            tests.add(DynamicTest.dynamicTest(name + " commands in text", page::checkSentences));
            pages.add(DynamicContainer.dynamicContainer(name, tests));
        }
        return pages.stream();
    }

    @Test
    void everyBlockThatIsNotCheckedExists() throws IOException {
        List<String> blocks = new ArrayList<>();
        for (Path page : pages()) {
            CodeBlock.of(page).forEach(block -> blocks.add(name(page) + ": " + block.text()));
        }
        for (String key : UNCHECKED.keySet()) {
            assertTrue(blocks.stream().anyMatch(block -> block.startsWith(key)), key);
        }
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                String target = link.group(1);
                if (!target.startsWith("http") && !leads(page, target)) {
                    broken.add(name(page) + ": " + target);
                }
            }
        }
        assertEquals(List.of(), broken);
    }

    private static boolean leads(Path page, String target) throws IOException {
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        Path path = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!Files.exists(path)) {
            return false;
        }
        return hash < 0
                || HEADING.matcher(Files.readString(path))
                        .results()
                        .anyMatch(m -> anchor(m.group(1)).equals(target.substring(hash + 1)));
    }

    /** As GitHub makes them. */
    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-');
    }

    @Test
    void theReadmeLeadsToEveryPage() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));
        assertEquals(
                List.of(),
                pages().stream()
                        .map(DocumentationTest::name)
                        .filter(name -> name.startsWith("docs/"))
                        .filter(name -> !readme.contains("(" + name + ")"))
                        .toList());
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            TreeSet<Path> pages =
                    docs.filter(file -> file.toString().endsWith(".md"))
                            .collect(Collectors.toCollection(TreeSet::new));
            for (String more :
                    List.of("README.md", "CONTRIBUTING.md", "agentprm-examples/README.md")) {
                pages.add(ROOT.resolve(more));
            }
            return List.copyOf(pages);
        }
    }

    private static String name(Path page) {
        return ROOT.relativize(page).toString().replace('\\', '/');
    }

    private static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("docs/reference.md"))) {
                return at;
            }
        }
        throw new AssertionError("docs is in no directory above " + Path.of("").toAbsolutePath());
    }
}
