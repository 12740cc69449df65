package io.agentprm.lm.decode;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.ModelInfo;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.Tokenizer;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.checkpoint.ModelConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A decoder on some engine that keeps caches of conversations: checks of requests, batches within
 * bounds, and the bookkeeping of caches. What is computed is left to the engine, which is called by
 * one thread at a time.
 */
public abstract class ConversationalModel implements LanguageModel {
    /**
     * Bounds of what is computed and kept at once.
     *
     * @param cacheBytes of the caches of all conversations
     * @param batchTokens padded tokens of a pass over whole rows
     * @param decodeRows continuations that grow together
     */
    public record Limits(long cacheBytes, int batchTokens, int decodeRows) {}

    private final ModelConfig config;
    private final ModelFiles files;
    private final Limits limits;
    private final NativeGate gate;
    private final Conversations conversations;
    private final Set<Integer> stops;
    private final ReentrantLock busy = new ReentrantLock();
    private long tokensComputed;
    private boolean closed;

    /**
     * @param memory of the caches
     * @param gate that native work passes through
     */
    protected ConversationalModel(
            ModelConfig config,
            ModelFiles files,
            Limits limits,
            CacheMemory memory,
            NativeGate gate) {
        this.config = config;
        this.files = files;
        this.limits = limits;
        this.gate = gate;
        this.conversations = new Conversations(memory, limits.cacheBytes());
        this.stops = new HashSet<>(files.stopTokenIds());
        stops.add(files.tokenizer().endOfTurn());
    }

    /** Name of the engine. */
    protected abstract String engine();

    /** Effective device. */
    protected abstract String device();

    /** Called by each thread before native work. */
    protected void prepareThread() {}

    /**
     * The channels of a plan as one vector, in the plan's order.
     *
     * @param rows at least one, each within the context
     */
    protected abstract float[] forward(PackedRows rows, ChannelPlan plan);

    /**
     * Continues prompts that ask for equally many samples.
     *
     * @param caches one for each request, cut back to what agrees with its prompt, the last token
     *     excepted
     */
    protected abstract List<List<Generation>> generate(
            List<GenerationRequest> requests, List<Conversations.Entry> caches);

    /**
     * Scores continuations, of which every request has some.
     *
     * @param caches one for each request, cut back to what agrees with its prompt
     */
    protected abstract List<double[]> score(
            List<ContinuationRequest> requests, List<Conversations.Entry> caches);

    /** Frees native memory; called once, and nothing is called afterwards. */
    protected abstract void free();

    /** The bookkeeping of the caches. */
    protected final Conversations conversations() {
        return conversations;
    }

    /** Bounds of what is computed and kept at once. */
    protected final Limits limits() {
        return limits;
    }

    /** Ids that end a reply. */
    protected final Set<Integer> stops() {
        return stops;
    }

    /** The files beside the weights. */
    protected final ModelFiles files() {
        return files;
    }

    /** Counts tokens that have gone through the network. */
    protected final void countTokens(long computed) {
        tokensComputed += computed;
    }

    /** Sets the count, as a checkpoint has it. */
    protected final void setTokensComputed(long count) {
        tokensComputed = count;
    }

    /** The weights have changed: no cache is good any more. */
    protected final void forgetCaches() {
        conversations.clear();
    }

    /**
     * Runs native work, unless the model is closed.
     *
     * @throws LanguageModelException if another thread is at it: what the two would do to one cache
     *     could end the process
     */
    protected final <T> T run(Supplier<T> work) {
        if (!busy.tryLock()) {
            throw new LanguageModelException(
                    "the model "
                            + files.name()
                            + " is in use by another thread; a model is used by one thread at a"
                            + " time: load it once for each");
        }
        try {
            return gate.pass(
                    () -> {
                        if (closed) {
                            throw new LanguageModelException(
                                    "the model " + files.name() + " is closed");
                        }
                        prepareThread();
                        return work.get();
                    });
        } finally {
            busy.unlock();
        }
    }

    @Override
    public final ModelInfo info() {
        return new ModelInfo(
                files.name(),
                engine(),
                device(),
                config.parameters(),
                config.contextLength(),
                config.scoreHead());
    }

    @Override
    public final Tokenizer tokenizer() {
        return files.tokenizer();
    }

    @Override
    public final ModelOutputs evaluate(List<TokenTree> rows, Set<Channel> channels) {
        ChannelPlan plan = ChannelPlan.of(channels, config);
        ModelOutputs outputs = ModelOutputs.zeros(rows, channels);
        rows.forEach(this::requireFit);
        for (int[] batch : Groups.ofRows(rows, limits.batchTokens())) {
            List<TokenTree> trees = Arrays.stream(batch).mapToObj(rows::get).toList();
            PackedRows packed = PackedRows.of(trees, Recall.of(config));
            tokensComputed += trees.stream().mapToLong(TokenTree::length).sum();
            if (plan.length(packed) > 0) {
                plan.read(run(() -> forward(packed, plan)), trees, outputs, batch);
            }
        }
        return outputs;
    }

    /** Refuses what is longer than the context or holds ids outside of the vocabulary. */
    protected final void requireFit(TokenTree tree) {
        for (int s = 0; s < tree.segments().size(); s++) {
            requireFit(tree.fork(s) + tree.segment(s).length(), 0);
            requireIds(tree.segment(s).tokens());
        }
    }

    private void requireFit(int length, int room) {
        if (length + room > config.contextLength()) {
            throw new LanguageModelException(
                    String.format(
                            Locale.ROOT,
                            "a sequence of %d tokens%s exceeds the context of %d of model %s;"
                                    + " render a shorter window",
                            length,
                            room > 0 ? " and a reply" : "",
                            config.contextLength(),
                            files.name()));
        }
    }

    private void requireIds(int[] ids) {
        for (int id : ids) {
            if (id < 0 || id >= config.vocabSize()) {
                throw new LanguageModelException(
                        "token id "
                                + id
                                + " lies outside of the vocabulary of "
                                + config.vocabSize()
                                + " of model "
                                + files.name());
            }
        }
    }

    @Override
    public final List<List<Generation>> generate(List<GenerationRequest> requests) {
        if (!config.languageHead()) {
            throw new LanguageModelException(
                    "model " + files.name() + " has no language head, so it can't generate");
        }
        for (GenerationRequest request : requests) {
            requireFit(request.prompt().length, 1);
            requireIds(request.prompt());
        }
        List<List<Generation>> results = new ArrayList<>();
        requests.forEach(r -> results.add(List.of()));
        for (List<Integer> group : bySamples(requests)) {
            List<Request> all = new ArrayList<>();
            for (int i : group) {
                GenerationRequest r = requests.get(i);
                all.add(new Request(i, r.prompt(), r.conversation()));
            }
            int samples = requests.get(group.get(0)).samples();
            for (List<Request> batch : batches(all, samples)) {
                List<GenerationRequest> own =
                        batch.stream().map(r -> requests.get(r.index())).toList();
                List<List<Generation>> out = withCaches(batch, 1, caches -> generate(own, caches));
                for (int i = 0; i < batch.size(); i++) {
                    results.set(batch.get(i).index(), out.get(i));
                }
            }
        }
        return results;
    }

    /** Indices of requests by number of samples, so that each group can run together. */
    private static List<List<Integer>> bySamples(List<GenerationRequest> requests) {
        TreeMap<Integer, List<Integer>> groups = new TreeMap<>(Collections.reverseOrder());
        for (int i = 0; i < requests.size(); i++) {
            groups.computeIfAbsent(requests.get(i).samples(), k -> new ArrayList<>()).add(i);
        }
        return List.copyOf(groups.values());
    }

    @Override
    public final List<double[]> score(List<ContinuationRequest> requests) {
        if (!config.scoreHead()) {
            throw new LanguageModelException(
                    "model " + files.name() + " has no score head; add one with addScoreHead");
        }
        List<double[]> results = new ArrayList<>();
        List<Request> all = new ArrayList<>();
        int most = 1;
        for (int i = 0; i < requests.size(); i++) {
            ContinuationRequest r = requests.get(i);
            requireIds(r.prompt());
            for (int[] continuation : r.continuations()) {
                requireFit(r.prompt().length + continuation.length, 0);
                requireIds(continuation);
            }
            most = Math.max(most, r.continuations().size());
            results.add(new double[0]);
            if (!r.continuations().isEmpty()) {
                all.add(new Request(i, r.prompt(), r.conversation()));
            }
        }
        for (List<Request> batch : batches(all, most)) {
            List<ContinuationRequest> own =
                    batch.stream().map(r -> requests.get(r.index())).toList();
            List<double[]> out = withCaches(batch, 0, caches -> score(own, caches));
            for (int i = 0; i < batch.size(); i++) {
                results.set(batch.get(i).index(), out.get(i));
            }
        }
        return results;
    }

    /** A prompt of a call. */
    private record Request(int index, int[] prompt, Optional<String> conversation) {}

    private interface Cached<T> {
        T run(List<Conversations.Entry> caches);
    }

    /**
     * Prompts whose caches are neighbours together, then new ones by length, within bounds of rows
     * and of memory.
     */
    private List<List<Request>> batches(List<Request> requests, int rowsEach) {
        List<Request> sorted = new ArrayList<>(requests);
        sorted.sort(
                Comparator.comparingInt((Request r) -> conversations.slotOf(r.conversation()))
                        .thenComparing(r -> -r.prompt().length));
        List<List<Request>> out = new ArrayList<>();
        int longest = requests.stream().mapToInt(r -> r.prompt().length).max().orElse(1);
        long fitting = limits.cacheBytes() / (longest * conversations.bytesPerToken());
        long most = Math.min(fitting, limits.decodeRows() / Math.max(1, rowsEach));
        int start = 0;
        while (start < sorted.size()) {
            int end = (int) Math.min(sorted.size(), start + Math.max(1, most));
            out.add(sorted.subList(start, end));
            start = end;
        }
        return out;
    }

    /**
     * Opens the caches of a batch and settles them afterwards.
     *
     * @param recompute tokens at the end of each prompt that are computed even if cached
     */
    private <T> T withCaches(List<Request> batch, int recompute, Cached<T> work) {
        return run(
                () -> {
                    Set<String> names = new HashSet<>();
                    List<Conversations.Entry> caches =
                            conversations.open(
                                    batch.stream()
                                            .map(r -> r.conversation().filter(names::add))
                                            .toList());
                    conversations.follow(
                            caches, batch.stream().map(Request::prompt).toList(), recompute);
                    try {
                        return work.run(caches);
                    } finally {
                        conversations.trim();
                    }
                });
    }

    @Override
    public final void release(String conversation) {
        run(
                () -> {
                    conversations.release(conversation);
                    return true;
                });
    }

    /** Bytes of native memory that caches hold. */
    public final long cacheBytes() {
        return conversations.bytes();
    }

    @Override
    public final long tokensComputed() {
        return tokensComputed;
    }

    /** Frees the model; waits for another thread that is at it. */
    @Override
    public final void close() {
        busy.lock();
        try {
            if (!closed) {
                gate.pass(
                        () -> {
                            closed = true;
                            free();
                            return true;
                        });
            }
        } finally {
            busy.unlock();
        }
    }
}
