package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.jni.JniUtils;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.ModelInfo;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.Tokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** A frozen model on PyTorch. */
class DjlLanguageModel implements LanguageModel {
    private final Decoder decoder;
    private final ModelFiles files;
    private final DjlConfig settings;
    private final NativeGate gate;
    private final Conversations conversations;
    private final Prompts prompts;
    private final Set<Integer> stops;
    private long tokensComputed;
    private boolean closed;

    DjlLanguageModel(Decoder decoder, ModelFiles files, DjlConfig settings, NativeGate gate) {
        this.decoder = decoder;
        this.files = files;
        this.settings = settings;
        this.gate = gate;
        this.conversations = new Conversations(decoder, settings.cacheMegabytes() << 20);
        this.prompts = new Prompts(decoder, conversations, settings.batchTokens());
        this.stops = new HashSet<>(files.stopTokenIds());
        stops.add(files.tokenizer().endOfTurn());
    }

    Decoder decoder() {
        return decoder;
    }

    ModelFiles files() {
        return files;
    }

    /** Runs native work, one call at a time, unless the model is closed. */
    final <T> T run(Supplier<T> work) {
        return gate.pass(
                () -> {
                    if (closed) {
                        throw new DjlEngineException("the model " + files.name() + " is closed");
                    }
                    JniUtils.setGraphExecutorOptimize(false);
                    return work.get();
                });
    }

    /** A frozen copy of the weights as they are. */
    final LanguageModel frozenCopy() {
        return run(() -> new DjlLanguageModel(decoder.copy(), files, settings, gate));
    }

    /** The weights have changed: no cache is good any more. */
    final void forgetCaches() {
        conversations.clear();
    }

    final void countTokens(long computed) {
        tokensComputed += computed;
    }

    final void setTokensComputed(long count) {
        tokensComputed = count;
    }

    @Override
    public ModelInfo info() {
        return new ModelInfo(
                files.name(),
                DjlEngineProvider.NAME,
                DjlEngine.name(decoder.manager().getDevice()),
                decoder.config().parameters(),
                decoder.config().contextLength(),
                decoder.layout().scoreHead() >= 0);
    }

    @Override
    public Tokenizer tokenizer() {
        return files.tokenizer();
    }

    @Override
    public ModelOutputs evaluate(List<TokenTree> rows, Set<Channel> channels) {
        ChannelPlan plan = ChannelPlan.of(channels, decoder.layout());
        ModelOutputs outputs = ModelOutputs.zeros(rows, channels);
        rows.forEach(this::requireFit);
        for (int[] batch : Groups.ofRows(rows, settings.batchTokens())) {
            List<TokenTree> trees = Arrays.stream(batch).mapToObj(rows::get).toList();
            PackedRows packed = PackedRows.of(trees);
            tokensComputed += trees.stream().mapToLong(TokenTree::length).sum();
            if (plan.length(packed) > 0) {
                float[] vector = run(() -> forward(packed, plan));
                plan.read(vector, trees, outputs, batch);
            }
        }
        return outputs;
    }

    private float[] forward(PackedRows packed, ChannelPlan plan) {
        try (NDManager manager = decoder.manager().newSubManager();
                NDArray vector = decoder.outputs(manager, packed, plan)) {
            return vector.toFloatArray();
        }
    }

    /** Refuses what is longer than the context or holds ids outside of the vocabulary. */
    final void requireFit(TokenTree tree) {
        for (int s = 0; s < tree.segments().size(); s++) {
            requireFit(tree.fork(s) + tree.segment(s).length(), 0);
            requireIds(tree.segment(s).tokens());
        }
    }

    private void requireFit(int length, int room) {
        if (length + room > decoder.config().contextLength()) {
            throw new DjlEngineException(
                    String.format(
                            Locale.ROOT,
                            "a sequence of %d tokens%s exceeds the context of %d of model %s;"
                                    + " render a shorter window",
                            length,
                            room > 0 ? " and a reply" : "",
                            decoder.config().contextLength(),
                            files.name()));
        }
    }

    private void requireIds(int[] ids) {
        for (int id : ids) {
            if (id < 0 || id >= decoder.config().vocabSize()) {
                throw new DjlEngineException(
                        "token id "
                                + id
                                + " lies outside of the vocabulary of "
                                + decoder.config().vocabSize()
                                + " of model "
                                + files.name());
            }
        }
    }

    @Override
    public List<List<Generation>> generate(List<GenerationRequest> requests) {
        if (decoder.layout().languageHead() < 0) {
            throw new DjlEngineException(
                    "model " + files.name() + " has no language head, so it can't generate");
        }
        for (GenerationRequest request : requests) {
            requireFit(request.prompt().length, 1);
            requireIds(request.prompt());
        }
        List<List<Generation>> results = new ArrayList<>();
        requests.forEach(r -> results.add(List.of()));
        for (List<Integer> group : Generator.bySamples(requests)) {
            List<Request> all = new ArrayList<>();
            for (int i : group) {
                GenerationRequest r = requests.get(i);
                all.add(new Request(i, r.prompt(), r.conversation()));
            }
            int samples = requests.get(group.get(0)).samples();
            for (List<Request> batch : batches(all, samples)) {
                List<GenerationRequest> own =
                        batch.stream().map(r -> requests.get(r.index())).toList();
                List<List<Generation>> out =
                        withCaches(
                                batch,
                                1,
                                caches ->
                                        new Generator(decoder, conversations, prompts, stops)
                                                .run(own, caches, this::countTokens));
                for (int i = 0; i < batch.size(); i++) {
                    results.set(batch.get(i).index(), out.get(i));
                }
            }
        }
        return results;
    }

    @Override
    public List<double[]> score(List<ContinuationRequest> requests) {
        if (decoder.layout().scoreHead() < 0) {
            throw new DjlEngineException(
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
            List<double[]> out =
                    withCaches(
                            batch,
                            0,
                            caches ->
                                    new ContinuationScorer(decoder, conversations, prompts)
                                            .run(own, caches, this::countTokens));
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
        long fitting =
                (settings.cacheMegabytes() << 20) / (longest * conversations.bytesPerToken());
        long most = Math.min(fitting, settings.decodeRows() / Math.max(1, rowsEach));
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
                    for (int i = 0; i < caches.size(); i++) {
                        int[] prompt = batch.get(i).prompt();
                        caches.get(i).truncateTo(prompt, prompt.length - recompute);
                    }
                    try {
                        return work.run(caches);
                    } finally {
                        conversations.trim();
                    }
                });
    }

    @Override
    public void release(String conversation) {
        run(
                () -> {
                    conversations.release(conversation);
                    return true;
                });
    }

    /** Bytes of native memory that caches hold. */
    final long cacheBytes() {
        return conversations.bytes();
    }

    @Override
    public long tokensComputed() {
        return tokensComputed;
    }

    @Override
    public void close() {
        if (!closed) {
            gate.pass(
                    () -> {
                        closed = true;
                        decoder.close();
                        return true;
                    });
        }
    }
}
