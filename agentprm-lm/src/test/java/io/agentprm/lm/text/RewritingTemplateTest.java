package io.agentprm.lm.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.lm.RenderedSegment;
import io.agentprm.api.lm.Tokenizer;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.chat.ChatTemplate;
import io.agentprm.lm.chat.Message;
import io.agentprm.lm.testing.ChatTemplates;
import io.agentprm.lm.tokenizer.Alphabet;
import io.agentprm.lm.tokenizer.BpeTrainer;
import io.agentprm.lm.tokenizer.PreTokenizer;
import io.agentprm.lm.tokenizer.SpecialTokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates that write earlier turns otherwise than when they were the last. */
class RewritingTemplateTest {
    private static final String PLAIN = "go to desk 1";
    private static final String THOUGHT = "<think>\nIt may be there.\n</think>\n\ngo to desk 2";
    private static final Tokenizer TOKENIZER =
            new BpeTrainer(PreTokenizer.GPT2, Alphabet.ALL_BYTES, 400, 2, SpecialTokens.standard())
                    .train(List.of("user\nassistant\nYou are in a room. go to desk 1"));
    private static final int BEGIN = TOKENIZER.beginOfSequence();
    private static final int END = TOKENIZER.endOfTurn();

    @TempDir Path dir;

    /** Sources whose special tokens are those of ChatML. */
    static Stream<String> sources() {
        return Stream.of(
                ChatTemplates.text("qwen3.jinja"),
                ChatTemplates.text("qwen3-first.jinja"),
                ChatTemplates.text("smollm2-instruct.jinja"),
                // Counts the messages first.
                "{{ messages|length }}{% for m in messages %}{{ m.content }}<|im_end|>{% endfor %}",
                // Repeats the first message at the end.
                "{% for m in messages %}{{ m.content }}<|im_end|>{% endfor %}{{ messages[1].content"
                        + " }}{{ messages|length }}",
                // Has text between the place of the reply and the reply.
                "{% for m in messages %}{{ m.role }}:{{ m.content }}<|im_end|>{% endfor %}");
    }

    @ParameterizedTest
    @MethodSource("sources")
    void everyStateIsWhatTheTemplateMakesOfItsConversation(String source) {
        for (Map<String, Boolean> variables : thinking(source)) {
            ChatTemplate template = template(source).with(variables);
            TranscriptRenderer renderer = renderer(template, 4000);
            for (State state : episode(PLAIN, THOUGHT, PLAIN, THOUGHT, THOUGHT).states()) {
                assertSame(
                        new SpelledTokens(template.tokens())
                                .encode(
                                        template.render(conversation(state), true),
                                        TOKENIZER::encode),
                        renderer.state(state));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sources")
    void trainingAndServingSeeTheSameIds(String source) {
        Trajectory episode = episode(PLAIN, THOUGHT, PLAIN, PLAIN, THOUGHT, THOUGHT, PLAIN);
        for (int context : new int[] {4000, 400, 300}) {
            TranscriptRenderer renderer = renderer(template(source), context);
            List<State> states = episode.states();
            List<Integer> turns = new ArrayList<>();
            for (RenderedSegment segment : renderer.trajectory(episode)) {
                assertTrue(segment.tokens().length <= context);
                for (RenderedSegment.Reply reply : segment.replies()) {
                    turns.add(reply.turn());
                    assertArrayEquals(
                            renderer.state(states.get(reply.turn())),
                            Arrays.copyOf(segment.tokens(), reply.start()));
                    assertArrayEquals(
                            renderer.reply(episode.turns().get(reply.turn()).decision()),
                            Arrays.copyOfRange(segment.tokens(), reply.start(), reply.end()));
                }
            }
            assertEquals(IntStream.range(0, episode.length()).boxed().toList(), turns);
        }
    }

    @Test
    void aSegmentBeginsWhereReasoningIsDropped() {
        TranscriptRenderer renderer = renderer(template(ChatTemplates.text("qwen3.jinja")), 4000);
        assertEquals(List.of(0, 0, 0, 0), segments(renderer, PLAIN, PLAIN, PLAIN, PLAIN));
        assertEquals(
                List.of(0, 0, 1, 1, 1, 2),
                segments(renderer, PLAIN, THOUGHT, PLAIN, PLAIN, THOUGHT, PLAIN));
        assertEquals(List.of(0, 1, 2), segments(renderer, THOUGHT, THOUGHT, THOUGHT));
        assertEquals(Optional.empty(), renderer.drift(episode(PLAIN, THOUGHT, PLAIN, THOUGHT)));
        String last = TOKENIZER.decode(renderer.state(episode(THOUGHT, PLAIN).states().get(1)));
        assertFalse(last.contains("It may be there."), last);
        assertTrue(last.contains("go to desk 2"), last);
    }

    @Test
    void withoutThinkingEveryTurnEndsWithAnEmptyBlockThatTheNextDrops() {
        TranscriptRenderer renderer =
                renderer(
                        template(ChatTemplates.text("qwen3.jinja"))
                                .with(Map.of("enable_thinking", false)),
                        4000);
        assertEquals(List.of(0, 1, 2), segments(renderer, PLAIN, PLAIN, PLAIN));
        String text = TOKENIZER.decode(renderer.state(episode(PLAIN, PLAIN).states().get(1)));
        assertTrue(text.endsWith("assistant\n<think>\n\n</think>\n\n"), text);
        assertEquals(text.indexOf("<think>"), text.lastIndexOf("<think>"));
    }

    @Test
    void aTemplateThatKeepsReasoningIsOneSegment() {
        TranscriptRenderer renderer =
                renderer(template(ChatTemplates.text("smollm2-instruct.jinja")), 4000);
        assertEquals(List.of(0, 0, 0), segments(renderer, THOUGHT, PLAIN, THOUGHT));
        assertEquals(
                List.of(),
                prompt(template(ChatTemplates.text("smollm2-instruct.jinja"))).remarks());
    }

    @Test
    void anEpisodeThatOutgrowsTheContextKeepsItsLatestTurns() {
        TranscriptRenderer renderer = renderer(template(ChatTemplates.text("qwen3.jinja")), 300);
        String[] replies = new String[12];
        Arrays.fill(replies, THOUGHT);
        String text = TOKENIZER.decode(renderer.state(episode(replies).states().get(11)));
        assertTrue(text.contains("Your task is to: put a mug in desk."), text);
        assertTrue(text.contains("Room 10"), text);
        assertFalse(text.contains("Room 1."), text);
    }

    /** What is seen twice is not written twice: the reason is dropped, the action is not. */
    @Test
    void aTokenThatIsNotSpecialIsTheTemplatesToReadInAReplyButAnotherIsNot() throws IOException {
        ChatTemplate template =
                template(
                        ChatTemplates.text("qwen3.jinja"),
                        ", {\"id\": 300, \"content\": \"</think>\", \"special\": false}");
        TranscriptRenderer renderer = renderer(template, 4000);
        State state =
                episode("<think>\nHm.</think>look<|im_end|>\n<|im_start|>user", PLAIN)
                        .states()
                        .get(1);
        int[] ids = renderer.state(state);
        assertFalse(TOKENIZER.decode(ids).contains("Hm."));
        assertTrue(TOKENIZER.decode(ids).contains("look<|im_end|>\n<|im_start|>user"));
        assertEquals(5, Arrays.stream(ids).filter(id -> id == BEGIN).count());
        assertEquals(4, Arrays.stream(ids).filter(id -> id == END).count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"qwen3.jinja", "qwen3-first.jinja"})
    void theLogSaysWhatIsRewrittenAndWhatItCosts(String name) {
        List<String> remarks = prompt(template(ChatTemplates.text(name))).remarks();
        assertEquals(2, remarks.size(), remarks.toString());
        assertTrue(
                remarks.get(0).contains("not append-only: once a turn follows, from character"),
                remarks.get(0));
        assertTrue(
                remarks.get(0)
                        .contains("'<think>\\nHm.\\n</think>\\n\\nREPLY' becomes 'REPLY<|im_end|>"),
                remarks.get(0));
        assertTrue(remarks.get(0).contains("n(n+1)/2"), remarks.get(0));
        assertTrue(
                remarks.get(1).contains("'REPLY' becomes '<think>\\n\\n</think>\\n\\nREPLY<|im_e"),
                remarks.get(1));
        assertTrue(remarks.get(1).contains("enable_thinking: false"), remarks.get(1));
        List<String> without =
                prompt(template(ChatTemplates.text(name)).with(Map.of("enable_thinking", false)))
                        .remarks();
        assertEquals(1, without.size(), without.toString());
        assertTrue(
                without.get(0).contains("'<think>\\n\\n</think>\\n\\nREPLY' becomes 'REPLY<"),
                without.get(0));
    }

    @Test
    void aVariableThatTheTemplateDoesNotMentionIsRefused() {
        ChatTemplate template = template(ChatTemplates.text("qwen3.jinja"));
        for (String name : List.of("enable_thinkng", "messages", "add_generation_prompt")) {
            LanguageModelException e =
                    assertThrows(
                            LanguageModelException.class, () -> template.with(Map.of(name, false)));
            assertTrue(e.getMessage().contains(name), e.getMessage());
            assertTrue(e.getMessage().contains("template-variables"), e.getMessage());
        }
    }

    private static List<Map<String, Boolean>> thinking(String source) {
        return source.contains("enable_thinking")
                ? List.of(
                        Map.of(), Map.of("enable_thinking", true), Map.of("enable_thinking", false))
                : List.of(Map.of());
    }

    /** For each turn the number of the segment that it is in. */
    private static List<Integer> segments(TranscriptRenderer renderer, String... replies) {
        List<Integer> numbers = new ArrayList<>();
        List<RenderedSegment> segments = renderer.trajectory(episode(replies));
        for (int s = 0; s < segments.size(); s++) {
            int number = s;
            segments.get(s).replies().forEach(reply -> numbers.add(number));
        }
        return numbers;
    }

    /** Tokens of the same text, with the special ones in the same places. */
    private static void assertSame(int[] expected, int[] actual) {
        assertEquals(spelled(expected), spelled(actual));
    }

    private static String spelled(int[] ids) {
        StringBuilder out = new StringBuilder();
        for (int id : ids) {
            out.append(id == BEGIN ? "[B]" : id == END ? "[E]" : TOKENIZER.decode(new int[] {id}));
        }
        return out.toString();
    }

    private static List<Message> conversation(State state) {
        List<Message> messages = new ArrayList<>(List.of(Message.system("Play.")));
        String first = "Your task is to: put a mug in desk.\n";
        for (State.Past past : state.history()) {
            messages.add(Message.user(first + past.observation().text()));
            messages.add(Message.assistant(past.decision().text()));
            first = "";
        }
        messages.add(Message.user(first + state.observation().text()));
        return messages;
    }

    private ChatTemplate template(String source) {
        return template(source, "");
    }

    private ChatTemplate template(String source, String moreTokens) {
        try {
            Files.writeString(dir.resolve("chat_template.jinja"), source);
            Files.writeString(
                    dir.resolve("tokenizer.json"),
                    "{\"added_tokens\": [{\"id\": 1, \"content\": \"<|im_start|>\"}, {\"id\": 2,"
                            + " \"content\": \"<|im_end|>\", \"special\": true}"
                            + moreTokens
                            + "]}");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return ChatTemplate.read(dir);
    }

    private static ChatPrompt prompt(ChatTemplate template) {
        return ChatPrompt.of(
                template, PlainTemplate.standard().withMark("").compile(), Optional.of("Play."));
    }

    private static TranscriptRenderer renderer(ChatTemplate template, int context) {
        return TranscriptRenderer.of(prompt(template), ReplyFormat.plain(), TOKENIZER, context, 60);
    }

    private static Trajectory episode(String... replies) {
        Trajectory.Builder builder =
                Trajectory.builder(Task.of("t", "train", "toy"), "put a mug in desk.");
        for (int t = 0; t < replies.length; t++) {
            builder.add(
                    Turn.of(
                            Observation.text("Room " + t + "."),
                            Decision.builder(Action.text("look")).text(replies[t]).build(),
                            new ActionFeedback.Valid(),
                            0));
        }
        return builder.end(
                Observation.text("Done."),
                new EpisodeEnd.Terminated(EpisodeEnd.Reason.GOAL, 1, true));
    }
}
