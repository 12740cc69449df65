package io.agentprm.lm.text;

import io.agentprm.api.env.Observation;
import io.agentprm.api.lm.Tokenizer;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.chat.ChatTemplate;
import io.agentprm.lm.chat.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
 */
public final class ChatPrompt implements PromptTemplate {
    /** Stands for a reply; no character of any text, and no blank that a template would strip. */
    private static final String REPLY = "\uFDD1";

    private final ChatTemplate template;
    private final PromptTemplate contents;
    private final Optional<String> system;
    private final SpelledTokens spelled;
    private final String endOfTurn;
    private final Memo<String> turns;

    private ChatPrompt(ChatTemplate template, PromptTemplate contents, Optional<String> system) {
        this.template = template;
        this.contents = contents;
        this.spelled = new SpelledTokens(template.tokens());
        this.system = system.map(spelled::protect);
        this.turns = new Memo<>(this::afterReply);
        this.endOfTurn = requireEndOfTurn();
    }

    /**
     * A template around messages.
     *
     * @param contents text of the user's messages
     * @param system the system message, if there is to be one
     * @throws LanguageModelException if the template is not append-only: the text of a turn must be
     *     the beginning of the text of the next; or if it has no token that ends a reply
     */
    public static ChatPrompt of(
            ChatTemplate template, PromptTemplate contents, Optional<String> system) {
        ChatPrompt prompt = new ChatPrompt(template, contents, system);
        prompt.requireAppendOnly();
        return prompt;
    }

    @Override
    public String head(String instruction, Observation observation, boolean initial) {
        return opening(spelled.protect(contents.head(instruction, observation, initial)));
    }

    @Override
    public String turn(Observation observation) {
        return turns.of(spelled.protect(contents.turn(observation))).substring(endOfTurn.length());
    }

    @Override
    public int[] encode(String text, Tokenizer tokenizer) {
        return spelled.encode(text, tokenizer);
    }

    @Override
    public boolean beginsSequence() {
        return true;
    }

    /** Id of the token that the template ends replies with. */
    public int endOfTurn() {
        return template.tokens().get(endOfTurn);
    }

    private String opening(String content) {
        return template.render(conversation(List.of(content)), true);
    }

    /** What follows a reply when the user then says something. */
    private String afterReply(String content) {
        String text = template.render(conversation(List.of("Begin.", content)), true);
        int at = text.indexOf(REPLY);
        if (at < 0) {
            throw notAppendOnly("it leaves earlier replies out");
        }
        return text.substring(at + REPLY.length());
    }

    /** The user's messages with a reply to each but the last. */
    private List<Message> conversation(List<String> contents) {
        List<Message> messages = new ArrayList<>();
        system.ifPresent(text -> messages.add(Message.system(text)));
        for (int i = 0; i < contents.size(); i++) {
            if (i > 0) {
                messages.add(Message.assistant(REPLY));
            }
            messages.add(Message.user(contents.get(i)));
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

    /** Replies may be long and many: what was computed for a turn must hold for all later ones. */
    private void requireAppendOnly() {
        String whole = opening("Begin.");
        List<String> said = new ArrayList<>(List.of("Begin."));
        for (String next : List.of("Go on.", "And on.")) {
            said.add(next);
            String text = template.render(conversation(said), true);
            String after = afterReply(next);
            int reply = text.lastIndexOf(REPLY);
            if (!text.startsWith(whole)
                    || reply < whole.length()
                    || !text.substring(whole.length(), reply).isBlank()
                    || !text.substring(reply + REPLY.length()).equals(after)) {
                throw notAppendOnly(
                        "the text of turn "
                                + (said.size() - 2)
                                + " is not the beginning of the text of turn "
                                + (said.size() - 1));
            }
            whole = text;
        }
    }

    private LanguageModelException notAppendOnly(String why) {
        return new LanguageModelException(
                template
                        + " is not append-only, so that nothing computed for a turn would hold for"
                        + " the next: "
                        + why
                        + "; put a template that keeps earlier turns as they were into"
                        + " chat_template.jinja, or use the plain prompt");
    }
}
