package io.agentprm.engine.onnx;

import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.engine.onnx.Prompts.Prompt;
import io.agentprm.lm.decode.Conversations;
import io.agentprm.lm.decode.Row;
import io.agentprm.lm.decode.Sample;
import io.agentprm.lm.decode.TokenSampler;
import io.agentprm.lm.decode.Tokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Continues a batch of prompts: the missing parts of the prompts first, then one pass for the next
 * tokens of the whole batch. Samples of a prompt that agree so far are one row; tokens that a
 * constraint leaves no choice of are computed together with the one before them; what is complete
 * leaves the batch. All samples of a prompt keep their tokens in its cache, behind each other, and
 * each sees its own.
 */
final class Continuations {
    private final Network network;
    private final Conversations conversations;
    private final KeyValueMemory memory;
    private final Prompts prompts;
    private final Set<Integer> stops;
    private final int contextLength;

    Continuations(
            Network network,
            Conversations conversations,
            KeyValueMemory memory,
            Prompts prompts,
            Set<Integer> stops,
            int contextLength) {
        this.network = network;
        this.conversations = conversations;
        this.memory = memory;
        this.prompts = prompts;
        this.stops = stops;
        this.contextLength = contextLength;
    }

    /** A conversation of the batch. */
    private static final class Member {
        private final Prompt prompt;
        private final List<Sample> samples;
        private final boolean remembers;

        /** Columns of its cache that hold something. */
        private int filled;

        Member(Prompt prompt, List<Sample> samples, boolean remembers) {
            this.prompt = prompt;
            this.samples = samples;
            this.remembers = remembers;
            this.filled = Math.max(prompt.tokens().length, prompt.cache().reach());
        }

        int slot() {
            return prompt.cache().slot();
        }
    }

    /**
     * Generates.
     *
     * @param caches one for each request, cut back to what agrees with its prompt
     * @param results gets the continuations, in order
     * @return number of tokens computed
     */
    long run(
            List<GenerationRequest> requests,
            List<Conversations.Entry> caches,
            List<List<Generation>> results) {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            members.add(member(requests.get(i), caches.get(i)));
        }
        conversations.reserve(members.stream().mapToInt(m -> m.filled).max().orElseThrow());
        long computed =
                prompts.run(members.stream().map(m -> m.prompt).toList(), firstTokens(members));
        computed += decode(members);
        members.forEach(m -> results.add(m.samples.stream().map(Sample::generation).toList()));
        return computed;
    }

    private Member member(GenerationRequest request, Conversations.Entry cache) {
        int[] tokens = request.prompt();
        int limit = Math.min(request.sampling().maxNewTokens(), contextLength - tokens.length);
        List<Sample> samples = new ArrayList<>();
        for (int s = 0; s < request.samples(); s++) {
            samples.add(new Sample(request, tokens, s, stops, limit));
        }
        return new Member(new Prompt(tokens, cache), samples, request.conversation().isPresent());
    }

    private static Prompts.Reader firstTokens(List<Member> members) {
        return new Prompts.Reader() {
            @Override
            public Questions ask(int[] bucket, long[] last) {
                return distributions(
                        last,
                        Arrays.stream(bucket)
                                .mapToObj(i -> members.get(i).samples.get(0))
                                .toList());
            }

            @Override
            public void read(int[] bucket, Network.Outputs outputs) {
                TokenSampler sampler = sampler(outputs, bucket.length);
                for (int i = 0; i < bucket.length; i++) {
                    for (Sample sample : members.get(bucket[i]).samples) {
                        sample.draw(sampler, i);
                    }
                }
            }
        };
    }

    /** Distributions after some tokens, each for a sample. */
    private static Questions distributions(long[] wanted, List<Sample> samples) {
        float[] sharpness = new float[samples.size()];
        for (int i = 0; i < sharpness.length; i++) {
            sharpness[i] = (float) (1 / samples.get(i).temperature());
        }
        return Questions.distributions(wanted, sharpness, samples.stream().anyMatch(Sample::free));
    }

    private static TokenSampler sampler(Network.Outputs outputs, int rows) {
        return new TokenSampler(
                outputs.of(DecoderGraph.ALL_LOG_PROBS), outputs.of(DecoderGraph.ALL_PROBS), rows);
    }

    private long decode(List<Member> members) {
        List<Row> rows = new ArrayList<>();
        for (int m = 0; m < members.size(); m++) {
            rows.addAll(Row.of(m, members.get(m).samples));
        }
        rows.removeIf(row -> row.pending() == 0);
        long computed = 0;
        Optional<Window> window = Optional.empty();
        try {
            while (!rows.isEmpty()) {
                reserve(members, rows);
                window = Optional.of(window(window, members, rows));
                computed += rows.stream().mapToInt(Row::pending).sum();
                rows = step(members, rows, window.get());
            }
        } finally {
            window.ifPresent(Window::close);
        }
        return computed;
    }

    /** Makes room for what the rows are about to add to their caches. */
    private void reserve(List<Member> members, List<Row> rows) {
        int[] filled = members.stream().mapToInt(m -> m.filled).toArray();
        rows.forEach(row -> filled[row.conversation()] += row.pending());
        conversations.reserve(Arrays.stream(filled).max().orElseThrow());
    }

    /** The window there is, or a new one where it has become too wide or its memory has changed. */
    private Window window(Optional<Window> before, List<Member> members, List<Row> rows) {
        int[] slots = rows.stream().mapToInt(r -> members.get(r.conversation()).slot()).toArray();
        long active = Arrays.stream(slots).distinct().count();
        if (before.isPresent() && before.get().good() && 2 * active > before.get().sequences()) {
            return before.get();
        }
        before.ifPresent(Window::close);
        return Window.of(memory, slots);
    }

    /** Computes the pending tokens of all rows and draws; the rows that go on. */
    private List<Row> step(List<Member> members, List<Row> rows, Window window) {
        int count = rows.stream().mapToInt(Row::pending).sum();
        Tokens tokens = new Tokens(1, count, network.recall());
        Pass pass = new Pass(window.sequences());
        List<Sample> leading = new ArrayList<>();
        List<Row> computed = new ArrayList<>();
        for (int r = 0; r < rows.size(); r++) {
            Row row = rows.get(r);
            Member member = members.get(row.conversation());
            for (int t = 0; t < row.pending(); t++) {
                row.sample().feed(row.columns().length + t, tokens, 0, leading.size());
                leading.add(row.sample());
            }
            int sequence = window.sequence(member.slot());
            int cached = member.prompt.tokens().length;
            pass.add(sequence, cached, row.columns(), member.filled, row.pending());
            computed.add(row.computed(r, member.filled));
            member.filled += row.pending();
        }
        long[] wanted = new long[count];
        Arrays.setAll(wanted, i -> i);
        Network.Outputs outputs =
                network.run(pass, tokens.planes(), window, distributions(wanted, leading));
        return drawn(members, rows, computed, sampler(outputs, count));
    }

    private static List<Row> drawn(
            List<Member> members, List<Row> rows, List<Row> computed, TokenSampler sampler) {
        List<Row> left = new ArrayList<>();
        int place = 0;
        for (int r = 0; r < rows.size(); r++) {
            Row row = rows.get(r);
            Row after = computed.get(r);
            for (Sample sample : row.samples()) {
                sample.read(sampler, place, row.columns().length, row.pending());
            }
            place += row.pending();
            boolean complete = row.sample().done();
            if (!complete) {
                for (Sample sample : row.samples()) {
                    sample.draw(sampler, place - 1);
                }
                left.addAll(after.next(r));
            }
            if (complete || after.pending() == 0) {
                remember(members.get(row.conversation()), after);
            }
        }
        left.removeIf(row -> row.pending() == 0);
        return left;
    }

    /** The keys and values of a reply stay: the next prompt may go on with it. */
    private static void remember(Member member, Row finished) {
        if (member.remembers) {
            int[] columns = finished.columns();
            member.prompt.cache().branch(finished.sample().tokens(columns.length), columns);
        }
    }
}
