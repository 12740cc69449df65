package io.agentprm.core.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.core.config.ConfigException.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigBinderTest {
    /** Direction of the discount. */
    public enum Discount {
        TO_GO,
        FROM_START
    }

    /** Nested settings with defaults only. */
    public record Training(
            @Description("Step size.") @Default("1e-3") double learningRate,
            @Description("Steps.") @Default("100") int steps,
            @Description("Clip.") @Default(".inf") double maxNorm) {
        public Training {
            if (!(learningRate > 0)) {
                throw new IllegalArgumentException(
                        "learning-rate must be positive, was " + learningRate);
            }
        }
    }

    /** One stage. */
    public record Stage(
            @Description("Name.") String name,
            @Description("Weight.") @Default("1") double weight) {}

    /** Everything that a configuration may hold. */
    @Description("Settings of a test run.")
    public record Settings(
            @Description("Seed.") long seed,
            @Description("Where.") Path directory,
            @Description("Direction.") @Default("to-go") Discount discount,
            @Description("Deadline.") @Default("30s") Duration deadline,
            @Description("Verbose.") @Default("false") boolean verbose,
            @Description("Remark.") Optional<String> remark,
            @Description("Limit.") Optional<Integer> limit,
            @Description("Stages.") List<Stage> stages,
            @Description("Sizes.") @Default("[1, 2]") List<Integer> sizes,
            @Description("Named.") Map<String, Stage> named,
            @Description("Training.") Training training,
            @Description("Optimizer.") @Default("online-dpo") ComponentConfig optimizer) {}

    private static final String FULL =
            """
            seed: 7
            directory: runs/a
            discount: from-start
            deadline: 5m
            remark: "12"
            stages:
              - name: first
              - name: second
                weight: 0.5
            named:
              x.y: {name: third}
            training:
              learning-rate: 5e-4
            optimizer: {type: ppo, clip: 0.2, nested: {list: [1, two, true]}}
            """;

    private static Settings bind(String yaml) {
        return ConfigBinder.strict().bind(ConfigNode.parse(yaml, "run.yaml"), Settings.class);
    }

    private static List<Problem> problems(String yaml) {
        return assertThrows(ConfigException.class, () -> bind(yaml)).problems();
    }

    @Test
    void valuesAreReadAsTheirComponentsTypeSays() {
        Settings settings = bind(FULL);
        assertEquals(7, settings.seed());
        assertEquals(Path.of("runs/a"), settings.directory());
        assertEquals(Discount.FROM_START, settings.discount());
        assertEquals(Duration.ofMinutes(5), settings.deadline());
        assertEquals(Optional.of("12"), settings.remark());
        assertEquals(Optional.empty(), settings.limit());
        assertEquals(List.of(new Stage("first", 1), new Stage("second", 0.5)), settings.stages());
        assertEquals(List.of(1, 2), settings.sizes());
        assertEquals(Map.of("x.y", new Stage("third", 1)), settings.named());
        assertEquals(new Training(5e-4, 100, Double.POSITIVE_INFINITY), settings.training());
        assertEquals("ppo", settings.optimizer().name());
    }

    @Test
    void theResolvedConfigurationReadsBackAsTheSameRecordFromYamlAndFromJson() {
        Settings settings = bind(FULL);
        ConfigNode resolved = ConfigBinder.strict().unbind(settings);
        for (String text : List.of(resolved.toYaml(), resolved.toJson())) {
            assertEquals(settings, bind(text), text);
            assertEquals(
                    resolved.toYaml(), ConfigBinder.strict().unbind(bind(text)).toYaml(), text);
        }
        assertTrue(resolved.toYaml().contains("max-norm: \".inf\""), resolved.toYaml());
    }

    @Test
    void textThatLooksLikeSomethingElseSurvivesTheRoundTrip() {
        for (String text :
                List.of(
                        "true",
                        "null",
                        "1e5",
                        "0x1f",
                        "~",
                        "- a",
                        "a: b",
                        "#",
                        "",
                        " x ",
                        "0123",
                        "yes",
                        "line\nbreak\n",
                        "ä\u2028\"'",
                        "1_000",
                        "2024-01-01")) {
            Stage stage = new Stage(text, 1);
            ConfigNode node = ConfigBinder.strict().unbind(stage);
            for (String written : List.of(node.toYaml(), node.toJson())) {
                assertEquals(
                        stage,
                        ConfigBinder.strict().bind(ConfigNode.parse(written, "text"), Stage.class),
                        written);
            }
        }
    }

    @Test
    void keysAndRecordComponentsCorrespondOneToOne() {
        List<String> keys = ConfigKey.of(Settings.class).stream().map(ConfigKey::name).toList();
        assertEquals(Settings.class.getRecordComponents().length, keys.size());
        assertEquals(keys.size(), keys.stream().distinct().count());
        Settings settings = bind(FULL.replace("remark", "limit: 3\nremark"));
        ConfigNode.Entries written = (ConfigNode.Entries) ConfigBinder.strict().unbind(settings);
        assertEquals(keys, List.copyOf(written.values().keySet()));
        assertEquals(
                Arrays.stream(Training.class.getRecordComponents())
                        .map(component -> "training." + Names.kebab(component.getName()))
                        .toList(),
                ConfigReference.rows(Settings.class).stream()
                        .map(ConfigReference.Row::key)
                        .filter(key -> key.startsWith("training."))
                        .toList());
    }

    @Test
    void anUnknownKeyIsReportedAtItsPlaceWithTheNearestKnownOne() {
        List<Problem> problems = problems("seed: 1\ndirectory: a\ntraining:\n  learnin-rate: 1\n");
        assertEquals(
                "run.yaml:4:3: training.learnin-rate: unknown key; did you mean"
                        + " 'learning-rate'? Allowed: learning-rate, steps, max-norm",
                problems.get(0).toString());
    }

    @Test
    void everyProblemIsReportedAtOnce() {
        List<Problem> problems =
                problems(
                        """
                        directory: a
                        discount: backwards
                        deadline: soon
                        sizes: [1, x, 2.5]
                        stages: {}
                        limit: 99999999999
                        training: {learning-rate: -1, steps: 1}
                        """);
        assertEquals(
                List.of(
                        "run.yaml:1:1: seed: the key is missing; an integer is expected",
                        "run.yaml:2:11: discount: one of to-go, from-start is expected, but this is"
                                + " 'backwards'",
                        "run.yaml:3:11: deadline: a duration such as 250ms, 30s, 5m or 2h is"
                                + " expected, but this is 'soon'",
                        "run.yaml:6:8: limit: an integer is expected, but this is '99999999999'",
                        "run.yaml:5:9: stages: a list, each element a map with the keys name,"
                                + " weight is expected, but this is a map",
                        "run.yaml:4:12: sizes[1]: an integer is expected, but this is 'x'",
                        "run.yaml:4:15: sizes[2]: an integer is expected, but this is '2.5'",
                        "run.yaml:7:27: training.learning-rate: must be positive, was -1.0"),
                problems.stream().map(Problem::toString).toList());
    }

    @Test
    void brokenTextIsReportedWithLineAndColumn(@TempDir Path directory) throws Exception {
        assertEquals(2, problems("seed: 1\nseed: 2\n").get(0).location().line());
        assertEquals(2, problems("seed: [1\ndirectory: }\n").get(0).location().line());
        assertEquals(2, problems("a: &x 1\nb: *x\n").get(0).location().line());
        Path json = Files.writeString(directory.resolve("a.json"), "{\"seed\": 1,\n oops}");
        ConfigException e = assertThrows(ConfigException.class, () -> ConfigNode.read(json));
        assertTrue(e.getMessage().startsWith(json + ":2:"), e.getMessage());
        assertTrue(
                assertThrows(
                                ConfigException.class,
                                () -> ConfigNode.read(directory.resolve("none.yaml")))
                        .getMessage()
                        .contains("there is no such file"));
    }

    @Test
    void aTolerantBinderIgnoresUnknownKeys() {
        ConfigNode node = ConfigNode.parse("{name: a, foo: 1}", "data.json");
        assertEquals(new Stage("a", 1), ConfigBinder.tolerant().bind(node, Stage.class));
        assertThrows(ConfigException.class, () -> ConfigBinder.strict().bind(node, Stage.class));
    }

    @Test
    void overridesChangeSingleKeysAndErrorsNameThem() {
        ConfigNode base = ConfigNode.parse(FULL, "run.yaml");
        Settings settings =
                ConfigBinder.strict()
                        .bind(
                                ConfigOverrides.apply(
                                        base,
                                        List.of(
                                                "seed=9",
                                                "training.steps=5",
                                                "stages.1.weight=2",
                                                "remark=",
                                                "optimizer=online-dpo",
                                                "optimizer.beta=0.1")),
                                Settings.class);
        assertEquals(9, settings.seed());
        assertEquals(5, settings.training().steps());
        assertEquals(2, settings.stages().get(1).weight());
        assertEquals(Optional.of(""), settings.remark());
        assertEquals("online-dpo", settings.optimizer().name());
        ConfigNode wrong = ConfigOverrides.apply(base, List.of("training.step=5"));
        ConfigException e =
                assertThrows(
                        ConfigException.class,
                        () -> ConfigBinder.strict().bind(wrong, Settings.class));
        assertTrue(
                e.getMessage().startsWith("--set training.step=5: training.step: unknown key"),
                e.getMessage());
    }

    @Test
    void aComponentsSettingsAreBoundLaterAndKeepTheirPlaces() {
        ComponentConfig component =
                bind("seed: 1\ndirectory: a\noptimizer:\n  type: sgd\n  step: 1\n").optimizer();
        ConfigException e =
                assertThrows(ConfigException.class, () -> component.bind(Training.class));
        assertEquals(new Location("run.yaml", 5, 3), e.problems().get(0).location());
        assertEquals(
                new Training(1e-3, 100, Double.POSITIVE_INFINITY),
                ComponentConfig.of("sgd").bind(Training.class));
        Training made = new Training(0.5, 3, 1);
        assertEquals(made, ComponentConfig.of("sgd", made).bind(Training.class));
    }

    @Test
    void theReferenceListsEveryKeyWithDefaultAndMeaning() {
        String text = ConfigReference.markdown(Settings.class);
        assertTrue(text.startsWith("Settings of a test run.\n"), text);
        assertTrue(text.contains("| `seed` | an integer | required | Seed. |"), text);
        assertTrue(text.contains("| `training.learning-rate` | a number | `1e-3` | Step"), text);
        assertTrue(text.contains("| `stages[].name` | text | required | Name. |"), text);
        assertTrue(text.contains("| `named.*.weight` | a number | `1` | Weight. |"), text);
    }

    public record Ranged(@Default("1") int steps, @Default("1") int other) {
        public Ranged {
            if (steps < 1) {
                throw new IllegalArgumentException("steps must be at least 1, was " + steps);
            }
        }
    }

    public record Holder(Ranged ranged, @Default("mc") ComponentConfig targets) {}

    @Test
    void aRangeThatIsLeftIsReportedAtItsKey() {
        ConfigNode node = ConfigNode.parse("ranged:\n  other: 2\n  steps: 0\n", "run.yaml");
        assertEquals(
                "run.yaml:3:10: ranged.steps: must be at least 1, was 0",
                assertThrows(
                                ConfigException.class,
                                () -> ConfigBinder.strict().bind(node, Holder.class))
                        .getMessage());
        ConfigNode set = ConfigOverrides.apply(node, List.of("ranged.steps=-1"), Holder.class);
        assertEquals(
                "--set ranged.steps=-1: ranged.steps: must be at least 1, was -1",
                assertThrows(
                                ConfigException.class,
                                () -> ConfigBinder.strict().bind(set, Holder.class))
                        .getMessage());
    }

    @Test
    void anOverrideReachesBelowAComponentThatIsLeftAtItsDefault() {
        ConfigNode node = ConfigNode.parse("{}", "run.yaml");
        ConfigNode set = ConfigOverrides.apply(node, List.of("targets.gamma=0.9"), Holder.class);
        ComponentConfig targets = ConfigBinder.strict().bind(set, Holder.class).targets();
        assertEquals("mc", targets.name());
        assertEquals(ConfigNode.parse("gamma: 0.9", ""), targets.settings());
    }

    @Test
    void aFileThatIsNoUtf8IsNamedWithLineAndByte(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("latin.yaml");
        Files.write(file, new byte[] {'a', ':', ' ', '1', '\n', 'b', ':', ' ', (byte) 0xe9});
        String message =
                assertThrows(ConfigException.class, () -> ConfigNode.read(file)).getMessage();
        assertTrue(message.contains("latin.yaml:2: is not UTF-8 text at byte 8"), message);
        assertTrue(
                assertThrows(ConfigException.class, () -> ConfigNode.read(directory))
                        .getMessage()
                        .contains("is a directory; name a file"));
    }
}
