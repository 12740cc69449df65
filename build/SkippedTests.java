import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Says at the end of a build how many tests of all modules were skipped and why: a test that is skipped looks like one that
 * passed. Arguments: the root of the project, and the time the build began; older reports are not counted.
 */
final class SkippedTests {
    public static void main(String[] args) throws Exception {
        Instant begin = Instant.parse(args[1]);
        int tests = 0;
        Map<String, List<String>> skipped = new TreeMap<>();
        for (Path report : reports(Path.of(args[0]), begin)) {
            NodeList cases = parse(report).getElementsByTagName("testcase");
            tests += cases.getLength();
            for (int i = 0; i < cases.getLength(); i++) {
                Element test = (Element) cases.item(i);
                NodeList skips = test.getElementsByTagName("skipped");
                if (skips.getLength() > 0) {
                    skipped.computeIfAbsent(why(skips.item(0).getTextContent()), k -> new ArrayList<>())
                            .add(test.getAttribute("classname").replaceFirst(".*\\.", ""));
                }
            }
        }
        int count = skipped.values().stream().mapToInt(List::size).sum();
        if (count > 0) {
            System.out.printf("[WARNING] %d of %d tests were SKIPPED:%n", count, tests);
            skipped.forEach((why, where) -> System.out.printf("[WARNING] %5d  %s (%s)%n", where.size(), why,
                    String.join(", ", new TreeSet<>(where))));
            System.out.println("[WARNING] CONTRIBUTING.md says what they need, and what is tested without them");
        } else if (tests > 0) {
            System.out.printf("[INFO] %d tests in all modules, none skipped%n", tests);
        }
    }

    /** The first line of what was thrown, or of what a disabled test says. */
    private static String why(String thrown) {
        String first = thrown.strip().lines().findFirst().orElse("no reason given");
        return first.replaceFirst("^[\\w.]+: (Assumption failed: )?", "").replaceAll("shared/\\S+", "shared/…");
    }

    private static List<Path> reports(Path root, Instant begin) throws IOException {
        List<Path> reports = new ArrayList<>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path module : modules.sorted().toList()) {
                for (String kind : List.of("surefire-reports", "failsafe-reports")) {
                    Path folder = module.resolve("target").resolve(kind);
                    if (Files.isDirectory(folder)) {
                        try (Stream<Path> files = Files.list(folder)) {
                            files.filter(f -> f.getFileName().toString().matches("TEST-.*\\.xml")).filter(f -> since(f, begin))
                                    .sorted().forEach(reports::add);
                        }
                    }
                }
            }
        }
        return reports;
    }

    private static boolean since(Path file, Instant begin) {
        try {
            return Files.getLastModifiedTime(file).compareTo(FileTime.from(begin)) >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static Document parse(Path report) throws IOException, ParserConfigurationException, SAXException {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(report.toFile());
    }
}
