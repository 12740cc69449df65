package io.agentprm.lm.agent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.Tokenizer;
import io.agentprm.api.plugin.AgentModelsProvider;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.checkpoint.AdapterInitializer;
import io.agentprm.lm.checkpoint.Initialization;
import io.agentprm.lm.checkpoint.LoraConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.text.PlainTemplate;
import io.agentprm.lm.tokenizer.Alphabet;
import io.agentprm.lm.tokenizer.Tokenizers;
import io.agentprm.lm.tokenizer.WordTrainer;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransformerModelsTest {
    private static final Observation ROOM =
            Observation.text("A room.").withAdmissibleActions(List.of("look", "go to desk 1"));
    private static final Task TASK = Task.of("t", "train", "toy");
    private static final EpisodeId EPISODE = new EpisodeId("t", 3);
    private static final RandomSource RANDOM = RandomSource.of(1);
    private static final Tokenizer WORDS =
            WordTrainer.standard().train(List.of("go to desk 1", "look", "go to desk 1", "look"));

    @TempDir Path dir;

    private final FakeModel model = new FakeModel(WORDS);

    @Test
    void everyFileOfANewModelIsReadableByTheSamePeople() throws IOException {
        assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"));
        initialise("m");
        assertEquals(
                Files.getPosixFilePermissions(dir.resolve("m/config.json")),
                Files.getPosixFilePermissions(dir.resolve("m/tokenizer.json")));
    }

    @Test
    void aNewModelHasATokenizerOfItsCorpusAndItsSpecialIds() {
        ModelDirectory made = initialise("m");
        Tokenizer tokenizer = Tokenizers.open(made);
        assertEquals(made.config().vocabSize(), tokenizer.vocabularySize());
        assertEquals(List.of(tokenizer.endOfTurn()), made.config().eosTokenIds());
        assertEquals(1, tokenizer.encode("look").length, "an action that nobody took");
        assertEquals(3, tokenizer.encode(" to desk 1").length);
        assertTrue(made.config().previousTokenEmbedding());
    }

    @Test
    void theNumberOfParametersIsBoundedBeforeAModelIsMadeAndExactForACheckpoint() {
        ModelDirectory made = initialise("m");
        long most = models(Decoding.FREE).parameters().orElseThrow();
        assertTrue(most >= made.config().parameters(), most + " parameters");
        TransformerConfig config = config(Decoding.FREE, Optional.of(made.path()));
        assertEquals(
                made.config().parameters(),
                new TransformerModels(config).parameters().orElseThrow());
    }

    @Test
    void theSameSeedMakesTheSameModel() {
        assertEquals(initialise("a").contentHash(), initialise("b").contentHash());
    }

    @Test
    void aCheckpointIsCopied() {
        ModelDirectory first = initialise("a");
        TransformerConfig config = config(Decoding.FREE, Optional.of(first.path()));
        new TransformerModels(config).initialise(dir.resolve("b"), List.of(), RANDOM);
        assertEquals(first.contentHash(), ModelDirectory.open(dir.resolve("b")).contentHash());
    }

    @Test
    void theCopyOfACheckpointForReadingOnlyCanBeWritten() throws IOException {
        assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"));
        Path checkpoint = initialise("a").path();
        Path weights = checkpoint.resolve("model.safetensors");
        Files.setPosixFilePermissions(weights, PosixFilePermissions.fromString("r--r--r--"));
        Files.createDirectories(checkpoint.resolve("onnx"));
        TransformerConfig config = config(Decoding.FREE, Optional.of(checkpoint));
        new TransformerModels(config).initialise(dir.resolve("b"), List.of(), RANDOM);
        assertTrue(
                Files.getPosixFilePermissions(dir.resolve("b/model.safetensors"))
                        .contains(PosixFilePermission.OWNER_WRITE));
        assertFalse(Files.exists(dir.resolve("b/onnx")), "folders are no part of a model");
    }

    @Test
    void anAdapterWithoutAChatTemplateHasThatOfItsBase() throws IOException {
        Path checkpoint = initialise("a").path();
        Files.writeString(
                checkpoint.resolve("chat_template.jinja"),
                "{% for m in messages %}{{ m.role + ':' + m.content + '<|pad|>' }}{% endfor %}"
                        + "{% if add_generation_prompt %}assistant:{% endif %}");
        ModelDirectory base = ModelDirectory.open(checkpoint);
        Path adapter =
                AdapterInitializer.create(
                                base,
                                dir.resolve("adapter"),
                                LoraConfig.defaults(),
                                false,
                                1,
                                base.stopTokenIds())
                        .path();
        Files.delete(adapter.resolve("chat_template.jinja"));
        TransformerModels models =
                new TransformerModels(config(Decoding.FREE, Optional.of(adapter), Dialogue.CHAT));
        models.initialise(dir.resolve("b"), List.of(), RANDOM);
        assertEquals(List.of(0, 2), ModelDirectory.open(dir.resolve("b")).stopTokenIds());
    }

    @Test
    void aChatModelEndsItsTurnsWithTheTokenOfItsTemplate() throws IOException {
        Path checkpoint = initialise("a").path();
        Files.writeString(
                checkpoint.resolve("chat_template.jinja"),
                "{% for m in messages %}{{ m.role + ':' + m.content + '<|pad|>' }}{% endfor %}"
                        + "{% if add_generation_prompt %}assistant:{% endif %}");
        TransformerModels models =
                new TransformerModels(
                        config(Decoding.FREE, Optional.of(checkpoint), Dialogue.CHAT));
        models.initialise(dir.resolve("b"), List.of(), RANDOM);
        assertEquals(List.of(0, 2), ModelDirectory.open(dir.resolve("b")).stopTokenIds());
        assertThrows(
                LanguageModelException.class,
                () -> models.renderer(new FakeModel(WORDS)),
                "another end of turn");
        FakeModel chatty = new FakeModel(Tokenizers.open(ModelDirectory.open(dir.resolve("b"))));
        int[] state = models.renderer(chatty).state(state(ROOM));
        assertEquals(1, Arrays.stream(state).filter(id -> id == 0).count(), "the user's message");
        int[] reply = models.renderer(chatty).reply(Decision.of("look"));
        assertEquals(0, reply[reply.length - 1]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "False", "FALSE"})
    void theVariablesOfATemplateKeepTheirKind(String no) throws IOException {
        Path checkpoint = thinking();
        TransformerModels models =
                new TransformerModels(
                        config(
                                Decoding.FREE,
                                Optional.of(checkpoint),
                                Dialogue.CHAT,
                                Map.of(
                                        "enable_thinking",
                                        no,
                                        "depth",
                                        "2",
                                        "share",
                                        "0.25",
                                        "tone",
                                        "kind")));
        FakeModel model = new FakeModel(Tokenizers.open(ModelDirectory.open(checkpoint)));
        String text = model.tokenizer().decode(models.renderer(model).state(state(ROOM)));
        assertTrue(text.endsWith("assistant:kindly"), text);
    }

    /** A checkpoint whose template reads variables. */
    private Path thinking() throws IOException {
        Path checkpoint = initialise("a").path();
        Files.writeString(
                checkpoint.resolve("chat_template.jinja"),
                "{% for m in messages %}{{ m.role + ':' + m.content + '<|end|>' }}{% endfor %}"
                        + "{% if add_generation_prompt %}assistant:"
                        + "{% if enable_thinking is false and depth + 1 == 3 and share > 0.2 %}"
                        + "{{ tone + 'ly' }}{% endif %}{% endif %}");
        return checkpoint;
    }

    @ParameterizedTest
    @ValueSource(strings = {"enable_think", "thinking", "enable-thinking", "ton", "content\\E"})
    void aVariableThatTheTemplateDoesNotMentionAsAWordIsRefused(String name) throws IOException {
        Optional<Path> checkpoint = Optional.of(thinking());
        TransformerConfig config =
                config(Decoding.FREE, checkpoint, Dialogue.CHAT, Map.of(name, "false"));
        String message =
                assertThrows(LanguageModelException.class, () -> new TransformerModels(config))
                        .getMessage();
        assertTrue(message.contains("does not mention '" + name + "'"), message);
    }

    @Test
    void aScoreHeadIsAddedToAPolicysDirectory() {
        ModelDirectory policy = initialise("a");
        models(Decoding.FREE).addScoreHead(policy.path(), dir.resolve("q"), RANDOM);
        ModelDirectory scored = ModelDirectory.open(dir.resolve("q"));
        assertTrue(scored.config().scoreHead());
        assertEquals(policy.config().vocabSize(), Tokenizers.open(scored).vocabularySize());
    }

    @Test
    void aNewModelWithoutACorpusIsRefused() {
        assertThrows(
                LanguageModelException.class,
                () -> models(Decoding.FREE).initialise(dir.resolve("m"), List.of(), RANDOM));
    }

    @Test
    void repliesAreParsedAndKeepTheirTokens() {
        model.reply("go to desk 1", true);
        Decision decision = decide(Decoding.FREE);
        assertEquals("go to desk 1", decision.action().text());
        int[] ids = decision.tokens().orElseThrow().ids();
        assertEquals(WORDS.endOfTurn(), ids[ids.length - 1]);
    }

    @Test
    void aReplyThatWasCutHasNoAction() {
        model.reply("go to desk", false);
        Decision decision = decide(Decoding.FREE);
        assertEquals("", decision.action().text());
        assertEquals("go to desk", decision.text());
        assertTrue(decision.parseFailure().orElseThrow().contains("did not end within 3 tokens"));
    }

    @Test
    void decodingIsConstrainedOnlyOnRequestAndWhereActionsAreListed() {
        model.reply("look", true);
        decide(Decoding.FREE);
        assertTrue(model.lastGeneration().constraint().isEmpty());
        decide(Decoding.CONSTRAINED);
        int[] first = model.lastGeneration().constraint().orElseThrow().start().allowed();
        assertArrayEquals(
                new int[] {WORDS.encode("go")[0], WORDS.encode("look")[0]}, sorted(first));
        Policy policy = models(Decoding.CONSTRAINED).policy("p", model);
        policy.decide(List.of(request(state(Observation.text("A room.")))));
        assertTrue(model.lastGeneration().constraint().isEmpty());
    }

    @Test
    void repliesThatAreNotAdmissibleAreDrawnAgain() {
        Iterator<String> said = List.of("take mug 1", "open desk 1", "look").iterator();
        model.replies(random -> said.hasNext() ? said.next() : "go to desk 1");
        assertEquals("look", decide(Decoding.ADMISSIBLE).action().text());
        assertEquals(2, model.generations().size());
        assertTrue(model.lastGeneration().constraint().isEmpty());
        assertEquals(1, model.generations().get(0).samples());
        assertTrue(model.lastGeneration().samples() > 1, "several at a time: they are cheap");
    }

    @Test
    void whatIsNeverAdmissibleIsDrawnWithinTheListedActionsInTheEnd() {
        model.reply("take mug 1", true);
        decide(Decoding.ADMISSIBLE);
        assertEquals(4, model.generations().size());
        assertTrue(model.lastGeneration().constraint().isPresent());
        model.generations().clear();
        Policy policy = models(Decoding.ADMISSIBLE).policy("p", model);
        policy.decide(List.of(request(state(ROOM)).with(Sampling.temperature(0, 5))));
        assertEquals(2, model.generations().size(), "a greedy reply would only repeat itself");
    }

    @Test
    void admissibleActionsKeepTheOddsThatTheModelGivesThem() {
        model.replies(
                random -> {
                    double u = random.generator().nextDouble();
                    return u < 0.5 ? "take mug 1" : u < 0.7 ? "look" : "go to desk 1";
                });
        Policy policy = models(Decoding.ADMISSIBLE).policy("p", model);
        List<Decision> drawn =
                policy.decide(List.of(DecisionRequest.of(state(ROOM), EPISODE, 4000, RANDOM)))
                        .get(0);
        long looks = drawn.stream().filter(d -> d.action().text().equals("look")).count();
        assertEquals(4000, drawn.size());
        assertTrue(drawn.stream().noneMatch(d -> d.action().text().startsWith("take")));
        assertEquals(0.4, looks / 4000.0, 0.03, "0.2 to 0.3");
    }

    @Test
    void theConversationIsTheEpisode() {
        model.reply("look", true);
        Policy policy = models(Decoding.FREE).policy("p", model);
        policy.decide(List.of(request(state(ROOM))));
        assertEquals(Optional.of("t#3"), model.lastGeneration().conversation());
        policy.release(EPISODE);
        assertEquals(List.of("t#3"), model.released());
    }

    @Test
    void noReplyMayBeLongerThanTheRendererKeepsFree() {
        model.reply("look", true);
        Policy policy = models(Decoding.FREE).policy("p", model);
        policy.decide(List.of(request(state(ROOM)).with(Sampling.temperature(0.5, 500))));
        GenerationRequest last = model.lastGeneration();
        assertEquals(0.5, last.sampling().temperature());
        assertEquals(25, last.sampling().maxNewTokens());
    }

    @Test
    void scoresAreReadAfterTheEndOfTurnOfEachReply() {
        RewardModel reward = models(Decoding.FREE).rewardModel("q", model);
        List<double[]> scores =
                reward.score(
                        List.of(
                                ScoringRequest.of(
                                        state(ROOM),
                                        EPISODE,
                                        List.of(
                                                Decision.of("look"),
                                                Decision.of("go to desk 1")))));
        assertArrayEquals(new double[] {2, 5}, scores.get(0), "the fake scores by length");
        model.withoutScoreHead();
        assertThrows(
                LanguageModelException.class, () -> models(Decoding.FREE).rewardModel("q", model));
    }

    @Test
    void theProviderIsFoundByItsName() {
        assertEquals("transformer", new TransformerProvider().name());
        boolean registered = false;
        for (Object provider : ServiceLoader.load(AgentModelsProvider.class)) {
            registered |= provider instanceof TransformerProvider;
        }
        assertTrue(registered);
    }

    private ModelDirectory initialise(String name) {
        models(Decoding.FREE).initialise(dir.resolve(name), List.of(episode(), episode()), RANDOM);
        return ModelDirectory.open(dir.resolve(name));
    }

    private Decision decide(Decoding decoding) {
        Policy policy = models(decoding).policy("p", model);
        return policy.decide(List.of(request(state(ROOM)))).get(0).get(0);
    }

    private static DecisionRequest request(State state) {
        return DecisionRequest.of(state, EPISODE, 1, RANDOM);
    }

    private static State state(Observation observation) {
        return State.initial(TASK, EpisodeStart.of("put mug in desk", observation));
    }

    private static Trajectory episode() {
        return Trajectory.builder(TASK, "put mug in desk")
                .add(Turn.of(ROOM, Decision.of("go to desk 1"), new ActionFeedback.Valid(), 0))
                .end(
                        Observation.text("Done."),
                        new EpisodeEnd.Terminated(EpisodeEnd.Reason.GOAL, 1, true));
    }

    private static TransformerModels models(Decoding decoding) {
        return new TransformerModels(config(decoding, Optional.empty()));
    }

    private static TransformerConfig config(Decoding decoding, Optional<Path> checkpoint) {
        return config(decoding, checkpoint, Dialogue.PLAIN);
    }

    private static TransformerConfig config(
            Decoding decoding, Optional<Path> checkpoint, Dialogue dialogue) {
        return config(decoding, checkpoint, dialogue, Map.of());
    }

    private static TransformerConfig config(
            Decoding decoding,
            Optional<Path> checkpoint,
            Dialogue dialogue,
            Map<String, String> templateVariables) {
        return new TransformerConfig(
                checkpoint,
                Optional.empty(),
                new Architecture(
                        32,
                        2,
                        2,
                        64,
                        512,
                        10_000,
                        true,
                        true,
                        Architecture.RecallScope.EVERYWHERE,
                        true,
                        Initialization.FAN_IN),
                new Vocabulary(Vocabulary.Kind.WORD, 4096, Optional.empty(), Alphabet.ALL_BYTES, 2),
                PlainTemplate.standard(),
                dialogue,
                Optional.empty(),
                templateVariables,
                Reply.PLAIN,
                24,
                decoding,
                1);
    }

    private static int[] sorted(int[] ids) {
        int[] out = ids.clone();
        Arrays.sort(out);
        assertArrayEquals(out, ids, "ascending");
        return out;
    }
}
