package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.engine.djl.Prompts.Prompt;
import io.agentprm.lm.decode.Conversations;
import io.agentprm.lm.decode.Recall;
import io.agentprm.lm.decode.Row;
import io.agentprm.lm.decode.Sample;
import io.agentprm.lm.decode.TokenSampler;
import io.agentprm.lm.decode.Tokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Continues a batch of prompts: the missing parts of the prompts first, then one kernel call for
 * the next tokens of the whole batch. Samples of a prompt that agree so far are one row; tokens
 * that a constraint leaves no choice of are computed together with the one before them; what is
 * complete leaves the batch.
 */
final class Generator {
    private final Decoder decoder;
    private final Conversations conversations;
    private final DjlCacheMemory memory;
    private final Prompts prompts;
    private final Set<Integer> stops;

    Generator(
            Decoder decoder,
            Conversations conversations,
            DjlCacheMemory memory,
            Prompts prompts,
            Set<Integer> stops) {
        this.decoder = decoder;
        this.conversations = conversations;
        this.memory = memory;
        this.prompts = prompts;
        this.stops = stops;
    }

    /** A conversation of the batch. */
    private record Member(GenerationRequest request, Prompt prompt, List<Sample> samples) {
        /** Whether keys and values of replies are worth keeping. */
        boolean remembers() {
            return request.conversation().isPresent();
        }

        /** What the prompt needs, and a reply that is likely to be kept. */
        int room() {
            return prompt.tokens().length + (remembers() ? samples.get(0).limit() : 0);
        }
    }

    /**
     * Generates.
     *
     * @param caches one for each request, cut back to what agrees with its prompt
     * @return continuations, in order
     */
    List<List<Generation>> run(
            List<GenerationRequest> requests,
            List<Conversations.Entry> caches,
            LongConsumer computed) {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            members.add(member(requests.get(i), caches.get(i)));
        }
        conversations.reserve(members.stream().mapToInt(Member::room).max().orElseThrow());
        computed.accept(
                prompts.run(
                        members.stream().map(Member::prompt).toList(),
                        (manager, bucket, arguments, last) ->
                                firstTokens(
                                        manager,
                                        Arrays.stream(bucket).mapToObj(members::get).toList(),
                                        arguments,
                                        last)));
        try (NDManager manager = decoder.manager().newSubManager()) {
            computed.accept(decode(manager, members));
        }
        return members.stream()
                .map(m -> m.samples().stream().map(Sample::generation).toList())
                .toList();
    }

    private Member member(GenerationRequest request, Conversations.Entry cache) {
        int[] tokens = request.prompt();
        int room = decoder.config().contextLength() - tokens.length;
        int limit = Math.min(request.sampling().maxNewTokens(), room);
        List<Sample> samples = new ArrayList<>();
        for (int s = 0; s < request.samples(); s++) {
            samples.add(new Sample(request, tokens, s, stops, limit));
        }
        return new Member(request, new Prompt(tokens, cache), samples);
    }

    private void firstTokens(
            NDManager manager, List<Member> members, Object[] arguments, NDArray last) {
        List<Sample> leading = members.stream().map(m -> m.samples().get(0)).toList();
        TokenSampler sampler = next(manager, arguments, last, leading);
        for (int i = 0; i < members.size(); i++) {
            for (Sample sample : members.get(i).samples()) {
                sample.draw(sampler, i);
            }
        }
    }

    /** Distributions of the tokens after some places, each for a sample. */
    private TokenSampler next(
            NDManager manager, Object[] arguments, NDArray last, List<Sample> samples) {
        float[] sharpness = new float[samples.size()];
        boolean probabilities = false;
        for (int i = 0; i < sharpness.length; i++) {
            sharpness[i] = (float) (1 / samples.get(i).temperature());
            probabilities |= samples.get(i).free();
        }
        Object[] all = Arrays.copyOf(arguments, arguments.length + 3);
        all[arguments.length] = last;
        all[arguments.length + 1] = Decoder.create(manager, sharpness, sharpness.length, 1);
        all[arguments.length + 2] = probabilities;
        float[] table = decoder.script().call(manager, "next", false, all).toFloatArray();
        return new TokenSampler(table, sharpness.length, probabilities);
    }

    private long decode(NDManager manager, List<Member> members) {
        List<Row> rows = new ArrayList<>();
        for (int m = 0; m < members.size(); m++) {
            rows.addAll(Row.of(m, members.get(m).samples()));
        }
        rows.removeIf(row -> row.pending() == 0);
        OwnTokens own = new OwnTokens(decoder, manager);
        long computed = 0;
        Cut cut = null;
        int room = conversations.scratch();
        while (!rows.isEmpty()) {
            computed += rows.stream().mapToInt(Row::pending).sum();
            int[] active = rows.stream().mapToInt(Row::conversation).distinct().toArray();
            if (cut == null || room != conversations.scratch()) {
                // Keeping replies may have moved the caches to a larger buffer.
                room = conversations.scratch();
                cut = Cut.of(decoder, memory, manager, caches(members, active), active);
            } else if (active.length < cut.numbers().length) {
                cut = cut.to(decoder, manager, active);
            }
            rows = step(manager, members, rows, cut, own);
        }
        return computed;
    }

    private static List<Conversations.Entry> caches(List<Member> members, int[] numbers) {
        return Arrays.stream(numbers).mapToObj(m -> members.get(m).prompt().cache()).toList();
    }

    /** A window and the numbers of its conversations in the batch. */
    private record Cut(Window window, int[] numbers) {
        static Cut of(
                Decoder decoder,
                DjlCacheMemory memory,
                NDManager manager,
                List<Conversations.Entry> caches,
                int[] numbers) {
            return new Cut(Window.of(decoder, memory, manager, caches), numbers);
        }

        Cut to(Decoder decoder, NDManager manager, int[] fewer) {
            int[] places = Arrays.stream(fewer).map(this::place).toArray();
            return new Cut(window.of(decoder, manager, places), fewer);
        }

        int place(int number) {
            return Arrays.binarySearch(numbers, number);
        }
    }

    /** Computes the pending tokens of all rows and draws; the rows that go on. */
    private List<Row> step(
            NDManager owner, List<Member> members, List<Row> rows, Cut cut, OwnTokens own) {
        int width = rows.stream().mapToInt(Row::pending).max().orElseThrow();
        NDArray keysValues = own.prepare(rows, width);
        List<Row> computed = new ArrayList<>();
        List<Row> left = new ArrayList<>();
        try (NDManager manager = owner.newSubManager()) {
            TokenSampler sampler = distributions(manager, rows, cut, own, keysValues, width);
            int place = 0;
            for (int r = 0; r < rows.size(); r++) {
                Row row = rows.get(r);
                for (Sample sample : row.samples()) {
                    sample.read(sampler, place, row.columns().length, row.pending());
                }
                place += row.pending();
                Row after = row.computed(r, own.filled());
                boolean complete = row.sample().done();
                if (!complete) {
                    for (Sample sample : row.samples()) {
                        sample.draw(sampler, place - 1);
                    }
                    left.addAll(after.next(r));
                }
                if (complete || after.pending() == 0) {
                    computed.add(after);
                }
            }
            left.removeIf(row -> row.pending() == 0);
            Replies replies = new Replies(conversations);
            for (Row row : computed) {
                Member member = members.get(row.conversation());
                if (member.remembers()) {
                    int[] columns = row.columns();
                    int[] tokens = row.sample().tokens(columns.length);
                    replies.add(member.prompt().cache(), tokens, row.parent(), columns);
                }
            }
            replies.copy(manager, keysValues, memory);
        }
        own.filled(own.filled() + width);
        return left;
    }

    private TokenSampler distributions(
            NDManager manager,
            List<Row> rows,
            Cut cut,
            OwnTokens own,
            NDArray keysValues,
            int width) {
        Tokens tokens = new Tokens(rows.size(), width, Recall.of(decoder.config()));
        List<Sample> leading = new ArrayList<>();
        long[] places = new long[rows.stream().mapToInt(Row::pending).sum()];
        int[] owners = new int[rows.size()];
        for (int r = 0; r < rows.size(); r++) {
            Row row = rows.get(r);
            owners[r] = cut.place(row.conversation());
            for (int t = 0; t < row.pending(); t++) {
                row.sample().feed(row.columns().length + t, tokens, r, t);
                places[leading.size()] = (long) r * width + t;
                leading.add(row.sample());
            }
        }
        Object[] arguments =
                decoder.extension(
                        manager,
                        tokens,
                        cut.window().arguments(manager, owners, own.filled()),
                        keysValues,
                        own.shown(manager, rows, width),
                        manager.create(new long[0], new Shape(0)));
        return next(manager, arguments, manager.create(places, new Shape(places.length)), leading);
    }
}
