package io.agentprm.testkit;

import io.agentprm.api.lm.RenderedSegment;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.Tokenizer;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The shortest append-only rendering: begin of sequence, instruction, then observation and reply by
 * turns, each reply closed by the end of turn. A new segment (begin of sequence, instruction and on
 * from there) starts every so many turns, if asked for.
 */
public final class ToyRenderer implements StateRenderer {
    private final Tokenizer tokenizer;
    private final int turnsPerSegment;

    private ToyRenderer(Tokenizer tokenizer, int turnsPerSegment) {
        this.tokenizer = tokenizer;
        this.turnsPerSegment = turnsPerSegment;
    }

    /** Whole trajectories in one segment. */
    public static ToyRenderer of(Tokenizer tokenizer) {
        return new ToyRenderer(tokenizer, Integer.MAX_VALUE);
    }

    /** A new segment every so many turns. */
    public static ToyRenderer of(Tokenizer tokenizer, int turnsPerSegment) {
        return new ToyRenderer(tokenizer, turnsPerSegment);
    }

    @Override
    public int[] state(State state) {
        int first = state.turn() - state.turn() % turnsPerSegment;
        IntStream tokens = head(state.instruction());
        List<State.Past> history = state.history();
        for (State.Past past : history.subList(first, history.size())) {
            tokens = concat(tokens, past.observation().text(), past.decision());
        }
        return IntStream.concat(tokens, Arrays.stream(tokenizer.encode(state.observation().text())))
                .toArray();
    }

    @Override
    public int[] reply(Decision decision) {
        return decision.tokens()
                .map(sampled -> sampled.ids())
                .orElseGet(
                        () ->
                                IntStream.concat(
                                                Arrays.stream(tokenizer.encode(decision.text())),
                                                IntStream.of(tokenizer.endOfTurn()))
                                        .toArray());
    }

    @Override
    public List<RenderedSegment> trajectory(Trajectory trajectory) {
        List<RenderedSegment> segments = new ArrayList<>();
        for (int first = 0; first < trajectory.length(); ) {
            int last = Math.min(trajectory.length() - first, turnsPerSegment) + first;
            int[] tokens = head(trajectory.instruction()).toArray();
            List<RenderedSegment.Reply> replies = new ArrayList<>();
            for (int t = first; t < last; t++) {
                int[] seen = tokenizer.encode(trajectory.turns().get(t).observation().text());
                int[] reply = reply(trajectory.turns().get(t).decision());
                int start = tokens.length + seen.length;
                replies.add(new RenderedSegment.Reply(t, start, start + reply.length));
                tokens =
                        IntStream.concat(
                                        Arrays.stream(tokens),
                                        IntStream.concat(Arrays.stream(seen), Arrays.stream(reply)))
                                .toArray();
            }
            segments.add(new RenderedSegment(tokens, replies));
            first = last;
        }
        return segments;
    }

    private IntStream head(String instruction) {
        return IntStream.concat(
                IntStream.of(tokenizer.beginOfSequence()),
                Arrays.stream(tokenizer.encode(instruction)));
    }

    private IntStream concat(IntStream tokens, String observation, Decision decision) {
        return IntStream.concat(
                IntStream.concat(tokens, Arrays.stream(tokenizer.encode(observation))),
                Arrays.stream(reply(decision)));
    }
}
