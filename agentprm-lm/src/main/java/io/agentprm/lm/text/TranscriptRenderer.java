package io.agentprm.lm.text;

import io.agentprm.api.env.Observation;
import io.agentprm.api.lm.RenderedSegment;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.Tokenizer;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import io.agentprm.lm.LanguageModelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The renderer: begin of sequence (once), the template's head, then for each turn the reply's
 * tokens with the end of turn and the template's text of the next observation. Every part is
 * encoded by itself and the ids are joined, so a boundary never merges two parts into one token and
 * the tokens of a state are a prefix of those of every later state of its segment. Thread-safe.
 *
 * <p>Where an episode outgrows the context, a new segment begins by a rule that looks only at the
 * past: the task, and the latest turns that fit into half of the context. Where a chat template
 * writes earlier turns otherwise than before, a new segment begins as well, with what the template
 * makes of all of them.
 */
public final class TranscriptRenderer implements StateRenderer {
    private static final Logger LOG = LoggerFactory.getLogger(TranscriptRenderer.class);

    private final PromptTemplate template;
    private final ReplyFormat format;
    private final Tokenizer tokenizer;
    private final WindowRule window;
    private final int maxReplyTokens;
    private final Optional<ChatPrompt> chat;
    private final Optional<ChatPrompt> rewriting;
    private final AtomicBoolean driftTold = new AtomicBoolean();
    private final Memo<int[]> pieces;
    private final Memo<int[]> prompts;

    private TranscriptRenderer(
            PromptTemplate template,
            ReplyFormat format,
            Tokenizer tokenizer,
            WindowRule window,
            int maxReplyTokens) {
        this.template = template;
        this.format = format;
        this.tokenizer = tokenizer;
        this.window = window;
        this.maxReplyTokens = maxReplyTokens;
        this.chat = template instanceof ChatPrompt prompt ? Optional.of(prompt) : Optional.empty();
        this.rewriting = chat.filter(prompt -> !prompt.appendOnly());
        this.pieces = new Memo<>(tokenizer::encode);
        this.prompts = new Memo<>(text -> template.encode(text, pieces::of));
    }

    /**
     * @param contextLength tokens of a sequence, at most
     * @param maxReplyTokens tokens of a reply without its end of turn, at most; so many and one
     *     more are kept free at the end of every state
     */
    public static TranscriptRenderer of(
            PromptTemplate template,
            ReplyFormat format,
            Tokenizer tokenizer,
            int contextLength,
            int maxReplyTokens) {
        if (maxReplyTokens < 1 || maxReplyTokens + 2 >= contextLength) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "replies of %d tokens do not fit into a context of %d",
                            maxReplyTokens,
                            contextLength));
        }
        return new TranscriptRenderer(
                template,
                format,
                tokenizer,
                new WindowRule(contextLength, maxReplyTokens + 1),
                maxReplyTokens);
    }

    @Override
    public int[] state(State state) {
        Parts parts = new Parts(state.instruction());
        for (State.Past past : state.history()) {
            parts.add(past.observation(), past.decision());
        }
        parts.observations.add(state.observation());
        int last = state.turn();
        TokenBuffer out = new TokenBuffer();
        parts.append(out, parts.segments()[last], last);
        return out.toArray();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Sampled ids count as known if this tokenizer decodes them to the decision's text; ids of
     * another tokenizer do not. A reply that was cut at its length limit gets its end of turn here.
     */
    @Override
    public int[] reply(Decision decision) {
        int end = tokenizer.endOfTurn();
        int[] ids = sampledOrEncoded(decision);
        if (ids.length > 0 && ids[ids.length - 1] == end) {
            ids = Arrays.copyOf(ids, ids.length - 1);
        }
        if (ids.length > maxReplyTokens) {
            throw new LanguageModelException(
                    String.format(
                            Locale.ROOT,
                            "The reply '%s' has %d tokens, more than the %d that are kept free;"
                                    + " raise max-reply-tokens of the models",
                            abbreviate(decision.text()),
                            ids.length,
                            maxReplyTokens));
        }
        int[] reply = Arrays.copyOf(ids, ids.length + 1);
        reply[ids.length] = end;
        return reply;
    }

    /**
     * {@inheritDoc}
     *
     * <p>The log says once where tokens first differ from those of the template's text.
     */
    @Override
    public List<RenderedSegment> trajectory(Trajectory trajectory) {
        Parts parts = parts(trajectory);
        List<RenderedSegment> segments = parts.rendered();
        if (!driftTold.get()) {
            parts.drift(segments)
                    .filter(drift -> driftTold.compareAndSet(false, true))
                    .ifPresent(drift -> LOG.info("{}: {}", trajectory.id(), drift));
        }
        return segments;
    }

    /**
     * Where the tokens of a trajectory first differ from those that the chat template's text of the
     * whole is encoded to, such as where a reply was sampled in other tokens than its text has.
     * What was sampled is kept, for the policy's probabilities are those of these tokens; a
     * difference at every reply means that the template has a boundary which the model never sees.
     *
     * @return turn, position and tokens in words; empty if there is no difference, or no chat
     *     template
     */
    public Optional<String> drift(Trajectory trajectory) {
        Parts parts = parts(trajectory);
        return parts.drift(parts.rendered());
    }

    private Parts parts(Trajectory trajectory) {
        Parts parts = new Parts(trajectory.instruction());
        for (Turn turn : trajectory.turns()) {
            parts.add(turn.observation(), turn.decision());
        }
        return parts;
    }

    private int[] sampledOrEncoded(Decision decision) {
        if (decision.tokens().isPresent()) {
            int[] ids = decision.tokens().get().ids();
            if (belongTo(ids, decision.text())) {
                return ids;
            }
        }
        return pieces.of(format.text(decision));
    }

    private boolean belongTo(int[] ids, String text) {
        for (int id : ids) {
            if (id < 0 || id >= tokenizer.vocabularySize()) {
                return false;
            }
        }
        return tokenizer.decode(ids).equals(text);
    }

    private static String abbreviate(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }

    /** Observations and replies of an episode, encoded once each. */
    private final class Parts implements WindowRule.Lengths {
        private final String instruction;
        private final List<Observation> observations = new ArrayList<>();
        private final List<String> texts = new ArrayList<>();
        private final List<int[]> replies = new ArrayList<>();
        private final List<int[]> turns = new ArrayList<>();

        private final Map<WindowRule.Segment, String> wholes = new HashMap<>();

        /** For each segment that was rendered the first turn that it shows. */
        private final List<Integer> shown = new ArrayList<>();

        Parts(String instruction) {
            this.instruction = instruction;
        }

        void add(Observation observation, Decision decision) {
            observations.add(observation);
            texts.add(format.text(decision));
            replies.add(reply(decision));
        }

        WindowRule.Segment[] segments() {
            for (Observation observation : observations) {
                turns.add(prompts.of(template.turn(observation)));
            }
            return window.segments(observations.size(), this);
        }

        @Override
        public int anew(int from, int state) {
            TokenBuffer out = new TokenBuffer();
            append(out, new WindowRule.Segment(from, state), state);
            return out.size();
        }

        @Override
        public OptionalInt added(int from, int state) {
            return rewriting.isEmpty()
                            || rewriting
                                    .get()
                                    .goesOn(
                                            whole(from, state - 1),
                                            texts.get(state - 1),
                                            observations.get(state),
                                            whole(from, state))
                    ? OptionalInt.of(replies.get(state - 1).length + turns.get(state).length)
                    : OptionalInt.empty();
        }

        /** Appends the tokens of a state in its segment. */
        void append(TokenBuffer out, WindowRule.Segment segment, int last) {
            int written = segment.from();
            if (rewriting.isPresent()) {
                written = segment.first();
                out.add(template.encode(whole(segment.from(), written), pieces::of));
            } else {
                out.add(begin());
                out.add(head(written));
            }
            for (int t = written; t < last; t++) {
                out.add(replies.get(t));
                out.add(turns.get(t + 1));
            }
        }

        List<RenderedSegment> rendered() {
            WindowRule.Segment[] starts = segments();
            List<RenderedSegment> rendered = new ArrayList<>();
            for (int from = 0; from < starts.length; ) {
                int to = from;
                while (to + 1 < starts.length && starts[to + 1].equals(starts[from])) {
                    to++;
                }
                shown.add(starts[from].from());
                rendered.add(segment(starts[from], to));
                from = to + 1;
            }
            return rendered;
        }

        /** Of the segments that were rendered. */
        Optional<String> drift(List<RenderedSegment> rendered) {
            for (int s = 0; chat.isPresent() && s < rendered.size(); s++) {
                RenderedSegment segment = rendered.get(s);
                int from = shown.get(s);
                int to = segment.replies().get(segment.replies().size() - 1).turn() + 1;
                String text =
                        chat.get()
                                .ended(
                                        instruction,
                                        observations.subList(from, to),
                                        texts.subList(from, to),
                                        from == 0);
                Optional<String> drift =
                        Drift.between(segment, template.encode(text, pieces::of), tokenizer);
                if (drift.isPresent()) {
                    return drift;
                }
            }
            return Optional.empty();
        }

        RenderedSegment segment(WindowRule.Segment segment, int to) {
            TokenBuffer out = new TokenBuffer();
            append(out, segment, segment.first());
            List<RenderedSegment.Reply> places = new ArrayList<>();
            for (int t = segment.first(); t <= to; t++) {
                if (t > segment.first()) {
                    out.add(turns.get(t));
                }
                int begin = out.size();
                out.add(replies.get(t));
                places.add(new RenderedSegment.Reply(t, begin, out.size()));
            }
            return new RenderedSegment(out.toArray(), places);
        }

        private int[] begin() {
            return template.beginsSequence() ? new int[0] : new int[] {tokenizer.beginOfSequence()};
        }

        private int[] head(int t) {
            return prompts.of(template.head(instruction, observations.get(t), t == 0));
        }

        /** What the template makes of all turns since {@code from}. */
        private String whole(int from, int state) {
            return wholes.computeIfAbsent(
                    new WindowRule.Segment(from, state),
                    key ->
                            rewriting
                                    .orElseThrow()
                                    .whole(
                                            instruction,
                                            observations.subList(from, state + 1),
                                            texts.subList(from, state),
                                            from == 0));
        }
    }
}
