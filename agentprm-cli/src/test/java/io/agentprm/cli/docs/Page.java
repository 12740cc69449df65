package io.agentprm.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.cli.CommandLines;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.plugin.PluginDirectories;
import io.agentprm.core.plugin.Plugins;
import io.agentprm.core.store.AgentPrmImport;
import io.agentprm.core.store.OnCorrupt;
import io.agentprm.core.store.TrajectoryFiles;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/**
 * A page and a directory of its own, in which its blocks become files and its commands are run, in
 * the page's order. What a command would do for minutes is made small or only planned.
 */
final class Page {
    /** So that a plan of the household games opens a handful of them. */
    private static final List<String> FEW_GAMES =
            List.of(
                    "environment.generator.train-games=6",
                    "environment.generator.train-scenes=6",
                    "environment.generator.unseen-games=4",
                    "demonstrations.tasks=4",
                    "loop.rollouts.tasks=4",
                    "evaluation.scaling-tasks=2");

    /** The same for the shop. */
    private static final List<String> FEW_PRODUCTS =
            List.of(
                    "environment.generator.products=200",
                    "demonstrations.tasks=4",
                    "loop.rollouts.tasks=4",
                    "evaluation.tasks=4");

    private static final List<String> SHORT_TRAINING =
            List.of(
                    "models.architecture={hidden: 16, layers: 1, heads: 2, intermediate: 32, context: 128}",
                    "prm={type: prm, epochs: 1}");

    private static final Pattern INLINE = Pattern.compile("`\\./agentprm ([^`]+)`");

    private final Path root;
    private final Path path;
    private final Path directory;
    private final List<CodeBlock> blocks;
    private final JavaCode java;

    Page(Path root, Path path, Path directory) throws IOException {
        this.root = root;
        this.path = path;
        this.directory = directory;
        this.blocks = CodeBlock.of(path);
        this.java =
                new JavaCode(
                        blocks.stream().filter(block -> block.language().equals("java")).toList(),
                        directory);
        Files.createDirectories(directory);
        for (CodeBlock block : blocks) {
            if (block.file().isPresent()) {
                Files.writeString(directory.resolve(block.file().get()), block.text());
            }
        }
    }

    List<CodeBlock> blocks() {
        return blocks;
    }

    void check(CodeBlock block) throws Exception {
        switch (block.language()) {
            case "java" -> java(block);
            case "yaml" -> yaml(block.text());
            case "json" -> json(block);
            case "sh" -> shell(block.text());
            case "xml" -> xml(block.text());
            case "text" -> assertTrue(isOutput(block), "nothing says what prints this");
            default ->
                    throw new AssertionError(
                            "no check of '" + block.language() + "': name the language");
        }
    }

    private void java(CodeBlock block) throws Exception {
        java.compile();
        if (JavaCode.isTest(block)) {
            java.test(block);
        } else if (JavaCode.isProgram(block) && !isStartedByACommand(block)) {
            Path own = Files.createDirectories(directory.resolve("program"));
            String printed = java.run(JavaCode.simpleName(block), List.of(own.toString()));
            assertFalse(printed.isEmpty());
            output(block).ifPresent(shown -> assertEquals(shown, printed));
        }
    }

    /** What the page says that a program prints: the block after it, if that is plain text. */
    private Optional<String> output(CodeBlock program) {
        return blocks.stream()
                .skip(blocks.indexOf(program) + 1)
                .findFirst()
                .filter(block -> block.language().equals("text"))
                .map(CodeBlock::text);
    }

    private boolean isOutput(CodeBlock block) {
        return blocks.stream()
                .filter(program -> program.language().equals("java"))
                .filter(JavaCode::isProgram)
                .anyMatch(program -> output(program).equals(Optional.of(block.text())));
    }

    private boolean isStartedByACommand(CodeBlock block) {
        String source = JavaCode.simpleName(block) + ".java";
        return blocks.stream()
                .anyMatch(b -> b.language().equals("sh") && b.text().contains(source));
    }

    private void yaml(String text) throws Exception {
        try (PluginDirectories own =
                PluginDirectories.named(java.plugins().map(List::of).orElse(List.of()))) {
            new YamlSettings(own.discover()).check(text);
        }
        if (java.plugins().isPresent()) {
            tinyRun(text);
        }
    }

    /** A plugin of the page takes part in a run that is over in a second. */
    private void tinyRun(String settings) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("run"));
        arguments.add(Path.of(Page.class.getResource("/tiny-run.yaml").toURI()).toString());
        arguments.addAll(List.of("--plugins", java.plugins().orElseThrow().toString()));
        arguments.addAll(List.of("--out", directory.resolve("tiny").toString()));
        arguments.addAll(List.of("--set", "loop.iterations=1"));
        set(arguments, YamlSettings.overrides(ConfigNode.parse(settings, "block"), ""));
        assertTrue(CommandLines.execute(arguments).contains("pi-1"));
    }

    /** Trajectories of one format or the other, or a line of JSON. */
    private void json(CodeBlock block) throws IOException {
        Path folder = Files.createTempDirectory(directory, "json");
        Path file = Files.writeString(folder.resolve("0.json"), block.text());
        if (block.text().startsWith("{\"schema\":\"agentprm.labelled")) {
            assertFalse(TrajectoryFiles.labelled().read(file).isEmpty());
        } else if (block.text().startsWith("{\"schema\"")) {
            assertFalse(TrajectoryFiles.trajectories().read(file).isEmpty());
        } else if (block.text().contains("\"gamefile\"")) {
            assertFalse(new AgentPrmImport(OnCorrupt.FAIL).read(folder).items().isEmpty());
        } else {
            assertFalse(new ObjectMapper().readTree(block.text()).isEmpty());
        }
    }

    private void shell(String text) throws Exception {
        for (List<String> command : ShellCommands.of(text)) {
            List<String> arguments = command.subList(1, command.size());
            switch (command.get(0)) {
                case "./agentprm" -> agentprm(arguments);
                case "java" -> program(arguments);
                case "mvn" -> maven(arguments);
                // What is copied is the JAR of the page, which is in its plugin directory already.
                case "cp" -> assertTrue(java.plugins().isPresent(), text);
                default -> throw new AssertionError("no check of the command " + command);
            }
        }
    }

    private void agentprm(List<String> arguments) throws Exception {
        CommandLines.parse(arguments);
        List<String> resolved = new ArrayList<>(arguments.subList(0, 1));
        for (int i = 1; i < arguments.size(); i++) {
            boolean output = arguments.get(i - 1).equals("--out");
            resolved.add(
                    output
                            ? directory.resolve(arguments.get(i)).toString()
                            : resolve(arguments.get(i)));
        }
        Optional<Path> plugins = java.plugins();
        plugins.ifPresent(path -> resolved.addAll(List.of("--plugins", path.toString())));
        switch (arguments.get(0)) {
            case "version", "plugins" -> CommandLines.execute(resolved);
            case "run" -> plan(resolved);
            case "train-prm" -> {
                if (Files.exists(Path.of(resolved.get(1)))) {
                    set(resolved, SHORT_TRAINING);
                    CommandLines.execute(resolved);
                }
            }
            default -> {}
        }
    }

    private void plan(List<String> arguments) throws Exception {
        Path configuration = Path.of(arguments.get(1));
        assertTrue(Files.exists(configuration), configuration + " does not exist");
        if (Files.readString(configuration).contains("games: released")) {
            new YamlSettings(Plugins.discover()).check(Files.readString(configuration));
            return;
        }
        List<String> small = new ArrayList<>(arguments);
        small.add("--dry-run");
        if (!small.contains("--out")) {
            small.addAll(List.of("--out", directory.resolve("planned").toString()));
        }
        boolean shop = Files.readString(configuration).contains("type: webshop\n");
        set(small, shop ? FEW_PRODUCTS : FEW_GAMES);
        assertTrue(CommandLines.execute(small).contains("Nothing was written"));
    }

    private static void set(List<String> arguments, List<String> settings) {
        settings.forEach(setting -> arguments.addAll(List.of("--set", setting)));
    }

    /** A file of the page, else one of the repository, else the word as it is. */
    private String resolve(String word) {
        if (Files.exists(directory.resolve(word))) {
            return directory.resolve(word).toString();
        }
        return Files.exists(root.resolve(word)) ? root.resolve(word).toString() : word;
    }

    /** {@code java ... Program.java ARGUMENT}: the class path is that of this test. */
    private void program(List<String> arguments) throws Exception {
        int at = 0;
        while (!arguments.get(at).endsWith(".java")) {
            at++;
        }
        String source = Path.of(arguments.get(at)).getFileName().toString();
        if (Files.exists(root.resolve(arguments.get(at)))) {
            return; // A program of the repository, which the build compiles.
        }
        java.run(
                source.replace(".java", ""),
                arguments.subList(at + 1, arguments.size()).stream()
                        .map(directory::resolve)
                        .map(Path::toString)
                        .toList());
    }

    /** Modules that are named are modules of the project. */
    private void maven(List<String> arguments) {
        int modules = arguments.indexOf("-pl") + 1;
        if (modules > 0) {
            for (String module : arguments.get(modules).split(",")) {
                assertTrue(Files.exists(root.resolve(module).resolve("pom.xml")), module);
            }
        }
    }

    /** Well-formed, and every artefact of ours that it names is a module of the project. */
    private void xml(String text) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        // Several elements in a row are fine in a fragment.
        String whole = text.startsWith("<?xml") ? text : "<fragment>" + text + "</fragment>";
        Document document =
                factory.newDocumentBuilder().parse(new InputSource(new StringReader(whole)));
        NodeList artifacts = document.getElementsByTagName("artifactId");
        for (int i = 0; i < artifacts.getLength(); i++) {
            String name = artifacts.item(i).getTextContent();
            if (name.startsWith("agentprm")) {
                assertTrue(Files.exists(root.resolve(name).resolve("pom.xml")), name);
            }
        }
    }

    /** Commands within sentences. */
    void checkSentences() throws IOException {
        Matcher inline = INLINE.matcher(Files.readString(path).replaceAll("(?s)```.*?```", ""));
        while (inline.find()) {
            for (List<String> command : ShellCommands.of("./agentprm " + inline.group(1))) {
                List<String> arguments = command.subList(1, command.size());
                // The name of a command alone, or no command at all, is a way of speaking.
                boolean spoken = CommandLines.isName(arguments);
                if (!spoken && !arguments.equals(List.of("..."))) {
                    CommandLines.parse(arguments);
                }
            }
        }
    }
}
