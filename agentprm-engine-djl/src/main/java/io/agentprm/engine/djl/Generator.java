package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.engine.djl.Prompts.Prompt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Continues a batch of prompts, each with equally many samples: the missing parts of the prompts
 * first, then one kernel call per new token for the whole batch.
 */
final class Generator {
    private final Decoder decoder;
    private final Conversations conversations;
    private final Prompts prompts;
    private final Set<Integer> stops;

    Generator(Decoder decoder, Conversations conversations, Prompts prompts, Set<Integer> stops) {
        this.decoder = decoder;
        this.conversations = conversations;
        this.prompts = prompts;
        this.stops = stops;
    }

    /** A conversation of the batch. */
    private record Member(GenerationRequest request, Prompt prompt, List<Sample> samples) {
        boolean done() {
            return samples.stream().allMatch(Sample::done);
        }
    }

    /**
     * Generates.
     *
     * @param requests all with the same number of samples
     * @param caches one for each request, cut back to what agrees with its prompt
     * @return continuations, in order
     */
    List<List<Generation>> run(
            List<GenerationRequest> requests,
            List<Conversations.Entry> caches,
            LongConsumer computed) {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            GenerationRequest request = requests.get(i);
            int[] tokens = request.prompt();
            int room = decoder.config().contextLength() - tokens.length;
            int limit = Math.min(request.sampling().maxNewTokens(), room);
            List<Sample> samples = new ArrayList<>();
            for (int s = 0; s < request.samples(); s++) {
                samples.add(new Sample(request, tokens, s, stops, limit));
            }
            members.add(new Member(request, new Prompt(tokens, caches.get(i)), samples));
        }
        computed.accept(
                prompts.run(
                        members.stream().map(Member::prompt).toList(),
                        (manager, bucket, window, last) -> {
                            List<Member> some = new ArrayList<>();
                            for (int i : bucket) {
                                some.add(members.get(i));
                            }
                            firstTokens(manager, some, window, last);
                        }));
        try (NDManager manager = decoder.manager().newSubManager()) {
            computed.accept(decode(manager, members));
        }
        return members.stream()
                .map(m -> m.samples().stream().map(Sample::generation).toList())
                .toList();
    }

    private void firstTokens(NDManager manager, List<Member> members, Window window, NDArray last) {
        double[] temperatures =
                members.stream().mapToDouble(m -> m.samples().get(0).temperature()).toArray();
        TokenSampler sampler = next(manager, window, 0, last, temperatures);
        for (int i = 0; i < members.size(); i++) {
            for (Sample sample : members.get(i).samples()) {
                sample.draw(sampler, i);
            }
        }
    }

    private TokenSampler next(
            NDManager owner, Window window, int step, NDArray last, double[] temperatures) {
        float[] sharpness = new float[temperatures.length];
        for (int i = 0; i < sharpness.length; i++) {
            sharpness[i] = (float) (1 / temperatures[i]);
        }
        try (NDManager manager = owner.newSubManager()) {
            float[] table =
                    decoder.script()
                            .call(
                                    manager,
                                    "next",
                                    false,
                                    window.at(),
                                    window.prefix(),
                                    window.seen(),
                                    window.own(),
                                    step,
                                    last,
                                    Decoder.create(manager, sharpness, sharpness.length, 1),
                                    decoder.weightList(),
                                    decoder.anglesFor(window.positions()))
                            .toFloatArray();
            return new TokenSampler(table, sharpness.length);
        }
    }

    private long decode(NDManager manager, List<Member> all) {
        List<Member> members = all.stream().filter(m -> !m.done()).toList();
        if (members.isEmpty()) {
            return 0;
        }
        int n = members.get(0).samples().size();
        int capacity =
                members.stream().mapToInt(m -> m.samples().get(0).limit()).max().orElseThrow();
        Window window =
                Window.of(
                        decoder,
                        manager,
                        members.stream().map(m -> m.prompt().cache()).toList(),
                        n,
                        capacity);
        long computed = 0;
        for (int step = 0; !members.isEmpty(); step++) {
            computed += step(manager, members, window, step, n);
            List<Member> left = members.stream().filter(m -> !m.done()).toList();
            if (2 * left.size() <= members.size()) {
                List<Member> leaving = members.stream().filter(Member::done).toList();
                remember(manager, members, leaving, window, step + 1);
                if (!left.isEmpty()) {
                    window = compact(manager, members, left, window, n);
                }
                members = left;
            }
        }
        return computed;
    }

    private long step(NDManager owner, List<Member> members, Window window, int step, int n) {
        int rows = members.size() * n;
        Tokens tokens = new Tokens(rows, 1);
        double[] temperatures = new double[rows];
        long[] last = new long[rows];
        long computed = 0;
        for (int r = 0; r < rows; r++) {
            Sample sample = members.get(r / n).samples().get(r % n);
            temperatures[r] = sample.temperature();
            last[r] = r;
            if (!sample.done()) {
                sample.feed(tokens, r);
                computed++;
            }
        }
        try (NDManager manager = owner.newSubManager()) {
            TokenSampler sampler =
                    next(
                            manager,
                            window.with(tokens, manager),
                            step,
                            manager.create(last, new Shape(rows)),
                            temperatures);
            for (int r = 0; r < rows; r++) {
                Sample sample = members.get(r / n).samples().get(r % n);
                if (!sample.done()) {
                    sample.draw(sampler, r);
                }
            }
        }
        return computed;
    }

    /** A finished conversation with one sample keeps the reply's keys and values too. */
    private void remember(
            NDManager manager,
            List<Member> members,
            List<Member> leaving,
            Window window,
            int computed) {
        List<Member> named =
                leaving.stream()
                        .filter(m -> m.request().conversation().isPresent())
                        .filter(m -> m.samples().size() == 1)
                        .toList();
        if (named.isEmpty()) {
            return;
        }
        long[] rows = named.stream().mapToLong(members::indexOf).toArray();
        long[] lengths = new long[rows.length];
        for (int i = 0; i < lengths.length; i++) {
            Member member = named.get(i);
            lengths[i] = Math.min(computed, member.samples().get(0).length() - 1);
            conversations.reserve(
                    member.prompt().cache(), member.prompt().cache().length() + (int) lengths[i]);
        }
        List<Conversations.Entry> caches = named.stream().map(m -> m.prompt().cache()).toList();
        NDArray own =
                decoder.script()
                        .call(
                                manager,
                                "keep",
                                false,
                                window.own(),
                                2,
                                manager.create(rows, new Shape(rows.length)));
        Prompts.scatter(decoder, manager, own, caches, lengths);
        for (int i = 0; i < lengths.length; i++) {
            caches.get(i).append(named.get(i).samples().get(0).tokens((int) lengths[i]));
        }
    }

    private Window compact(
            NDManager manager, List<Member> members, List<Member> left, Window window, int n) {
        long[] kept = left.stream().mapToLong(members::indexOf).toArray();
        long[] rows = new long[kept.length * n];
        for (int r = 0; r < rows.length; r++) {
            rows[r] = kept[r / n] * n + r % n;
        }
        return window.keep(decoder, manager, kept, rows);
    }

    /** Indices of requests by number of samples, so that each group can run together. */
    static List<List<Integer>> bySamples(List<GenerationRequest> requests) {
        java.util.TreeMap<Integer, List<Integer>> groups =
                new java.util.TreeMap<>(Collections.reverseOrder());
        for (int i = 0; i < requests.size(); i++) {
            groups.computeIfAbsent(requests.get(i).samples(), k -> new ArrayList<>()).add(i);
        }
        return List.copyOf(groups.values());
    }
}
