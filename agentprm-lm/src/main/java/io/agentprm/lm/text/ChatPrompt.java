package io.agentprm.lm.text;

import io.agentprm.api.env.Observation;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.chat.ChatTemplate;
import io.agentprm.lm.chat.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A model's own chat template as a prompt: instruction and observations are the user's messages,
 * replies the assistant's. Special tokens that the template spells become their ids; those that an
 * observation spells stay the characters that they are. The template writes the begin of sequence,
 * where the model has one.
 *
 * <p>The text is cut where replies stand: a reply's own tokens and the end-of-turn token, which is
 * learnt and sampled like any other, belong to the reply, and what the template writes after it (a
 * newline, say) to the next observation. Blanks that a template puts before a reply are the reply's
 * business: they are sampled, or not there.
 *
 * <p>Most templates are append-only: what they write for a turn stays as it is, whatever follows.
 * One that is not (Qwen3's, which drops what was thought once the user speaks again) is found out
 * at the start, on replies with and without reasoning. Its states are then compared turn by turn.
 */
public final class ChatPrompt implements PromptTemplate {
    private static final Logger LOG = LoggerFactory.getLogger(ChatPrompt.class);

    /** Stands for a reply; no character of any text, and no blank that a template would strip. */
    private static final String REPLY = "\uFDD1";

    private static final String THOUGHT = "<think>\nHm.\n</think>\n\n" + REPLY;

    private final ChatTemplate template;
    private final PromptTemplate contents;
    private final Optional<String> system;
    private final SpelledTokens spelled;
    private final SpelledTokens unspoken;
    private final String endOfTurn;
    private final Memo<String> turns;
    private final Optional<String> rewrites;

    private ChatPrompt(ChatTemplate template, PromptTemplate contents, Optional<String> system) {
        this.template = template;
        this.contents = contents;
        this.spelled = new SpelledTokens(template.tokens());
        this.unspoken = new SpelledTokens(template.specialTokens());
        this.system = system.map(spelled::protect);
        this.turns = new Memo<>(this::afterReply);
        this.endOfTurn = requireEndOfTurn();
        this.rewrites = rewrites(REPLY).or(() -> rewrites(THOUGHT));
    }

    /**
     * A template around messages. The log says where it rewrites earlier turns and what that costs,
     * and where it ends a conversation otherwise than it is continued here.
     *
     * @param contents text of the user's messages
     * @param system the system message, if there is to be one
     * @throws LanguageModelException if the template leaves replies out, or has no token that ends
     *     a reply
     */
    public static ChatPrompt of(
            ChatTemplate template, PromptTemplate contents, Optional<String> system) {
        ChatPrompt prompt = new ChatPrompt(template, contents, system);
        prompt.remarks().forEach(LOG::warn);
        return prompt;
    }

    /** What the log says of the template: where it does not go as most do, and what that costs. */
    List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        rewrites.ifPresent(
                difference ->
                        remarks.add(
                                template
                                        + " is not append-only: once a turn follows, "
                                        + difference
                                        + ". Where it rewrites earlier turns, a state is written"
                                        + " anew, in a segment of its own: an episode of n turns"
                                        + " then takes the tokens of up to n(n+1)/2 turns in"
                                        + " place of n, and no cache of a turn serves the next."
                                        + " To avoid it, put a template that keeps earlier turns"
                                        + " as they were into chat_template.jinja"));
        otherEnd()
                .ifPresent(
                        difference ->
                                remarks.add(
                                        template
                                                + " writes a last reply without reasoning"
                                                + " otherwise than it is sampled and trained on"
                                                + " here: "
                                                + difference
                                                + ". If replies have no reasoning, see whether a"
                                                + " variable of the template changes that, as"
                                                + " template-variables: {enable_thinking: false}"
                                                + " does for Qwen3"));
        return remarks;
    }

    @Override
    public String head(String instruction, Observation observation, boolean initial) {
        return state(List.of(first(instruction, observation, initial)), List.of());
    }

    @Override
    public String turn(Observation observation) {
        return turns.of(spelled.protect(contents.turn(observation))).substring(endOfTurn.length());
    }

    @Override
    public int[] encode(String text, Function<String, int[]> tokens) {
        return spelled.encode(text, tokens);
    }

    @Override
    public boolean beginsSequence() {
        return true;
    }

    /** Id of the token that the template ends replies with. */
    public int endOfTurn() {
        return template.tokens().get(endOfTurn);
    }

    /** Whether the text of every state begins with the text of the one before it and its reply. */
    public boolean appendOnly() {
        return rewrites.isEmpty();
    }

    /**
     * The text of a state as the template writes it with all earlier turns.
     *
     * @param observations at least one
     * @param replies texts of the replies to all observations but the last
     * @param initial whether the first observation is that of the episode
     */
    String whole(
            String instruction,
            List<Observation> observations,
            List<String> replies,
            boolean initial) {
        List<String> said = new ArrayList<>();
        for (Observation observation : observations) {
            said.add(
                    said.isEmpty()
                            ? first(instruction, observation, initial)
                            : spelled.protect(contents.turn(observation)));
        }
        return state(said, replies.stream().map(unspoken::protect).toList());
    }

    /** The text of a state with its reply, which is the last one of the replies. */
    String ended(
            String instruction,
            List<Observation> observations,
            List<String> replies,
            boolean initial) {
        int last = replies.size() - 1;
        return whole(instruction, observations, replies.subList(0, last), initial)
                + unspoken.protect(replies.get(last))
                + endOfTurn;
    }

    /** Whether one state's text is another's with a reply and what follows it here. */
    boolean goesOn(String before, String reply, Observation next, String now) {
        return goesOn(
                before,
                unspoken.protect(reply),
                turns.of(spelled.protect(contents.turn(next))),
                now);
    }

    private static boolean goesOn(String before, String reply, String after, String now) {
        if (!now.startsWith(before) || !now.endsWith(reply + after)) {
            return false;
        }
        int blanks = now.length() - (reply + after).length();
        return blanks >= before.length() && now.substring(before.length(), blanks).isBlank();
    }

    private String first(String instruction, Observation observation, boolean initial) {
        return spelled.protect(contents.head(instruction, observation, initial));
    }

    private String state(List<String> said, List<String> replies) {
        return template.render(conversation(said, replies), true);
    }

    /** What follows a reply when the user then says something. */
    private String afterReply(String content) {
        String text = state(List.of("Begin.", content), List.of(REPLY));
        int at = text.indexOf(REPLY);
        if (at < 0) {
            throw new LanguageModelException(
                    template
                            + " leaves replies out, so that no state would show what was done; put"
                            + " one that has them into chat_template.jinja, or use the plain"
                            + " prompt");
        }
        return text.substring(at + REPLY.length());
    }

    /** The user's messages, each with the assistant's reply if there is one. */
    private List<Message> conversation(List<String> said, List<String> replies) {
        List<Message> messages = new ArrayList<>();
        system.ifPresent(text -> messages.add(Message.system(text)));
        for (int i = 0; i < said.size(); i++) {
            messages.add(Message.user(said.get(i)));
            if (i < replies.size()) {
                messages.add(Message.assistant(replies.get(i)));
            }
        }
        return messages;
    }

    private String requireEndOfTurn() {
        String after = afterReply("Go on.");
        return spelled.startOf(after)
                .orElseThrow(
                        () ->
                                new LanguageModelException(
                                        template
                                                + " ends replies with '"
                                                + after.substring(0, Math.min(20, after.length()))
                                                + "', which is no token of its tokenizer; use the"
                                                + " plain prompt"));
    }

    /** Where a conversation with such replies is not continued as it stood; empty if nowhere. */
    private Optional<String> rewrites(String reply) {
        List<String> said = new ArrayList<>(List.of("Begin."));
        List<String> replies = new ArrayList<>();
        String before = state(said, replies);
        for (String next : List.of("Go on.", "And on.")) {
            said.add(next);
            replies.add(reply);
            String now = state(said, replies);
            if (!goesOn(before, reply, afterReply(next), now)) {
                return Optional.of(Difference.of(before + reply, now));
            }
            before = now;
        }
        return Optional.empty();
    }

    /**
     * Where a conversation that ends with a reply without reasoning differs from a state and it.
     */
    private Optional<String> otherEnd() {
        List<String> said = List.of("Begin.");
        String state = state(said, List.of());
        String ended = template.render(conversation(said, List.of(REPLY)), false);
        int at = ended.indexOf(REPLY);
        return at >= 0 && goesOn(state, REPLY, ended.substring(at + REPLY.length()), ended)
                ? Optional.empty()
                : Optional.of(Difference.of(state + REPLY, ended));
    }

    /** Where two texts part. */
    private static final class Difference {
        private static final int SHOWN = 30;

        static String of(String before, String later) {
            int at = 0;
            while (at < Math.min(before.length(), later.length())
                    && before.charAt(at) == later.charAt(at)) {
                at++;
            }
            return String.format(
                    Locale.ROOT,
                    "from character %d on, %s becomes %s",
                    at,
                    quoted(before, at),
                    quoted(later, at));
        }

        private static String quoted(String text, int from) {
            String rest = text.substring(from);
            String shown = rest.length() <= SHOWN ? rest : rest.substring(0, SHOWN) + "…";
            return "'" + shown.replace("\n", "\\n").replace(REPLY, "REPLY") + "'";
        }
    }
}
