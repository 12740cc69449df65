package io.agentprm.testkit;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelInfo;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.lm.UpdateReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A language model that is a table: one softmax and one score for every exact token prefix, in
 * double precision. It has no capacity limit and shares nothing between prefixes, so losses can be
 * checked against finite differences and algorithms against exact fixed points. Trains with plain
 * gradient descent or AdamW; weight decay reaches the prefixes that were ever trained.
 */
public final class TabularModel implements TrainableModel {
    static final String WEIGHTS = "tabular.bin";
    static final String VOCABULARY = "vocabulary.txt";
    private static final int MAX_SKIPPED_STEPS = 5;

    private final WordTokenizer tokenizer;
    private final Optional<OptimizerOptions> adamW;
    private final boolean frozen;
    private PrefixTable table;
    private long tokensComputed;
    private int skipped;
    private boolean closed;

    TabularModel(
            WordTokenizer tokenizer,
            PrefixTable table,
            Optional<OptimizerOptions> adamW,
            boolean frozen) {
        this.tokenizer = tokenizer;
        this.table = table;
        this.adamW = adamW;
        this.frozen = frozen;
    }

    /** A uniform model trained by plain gradient descent. */
    public static TabularModel sgd(WordTokenizer tokenizer) {
        return sgd(tokenizer, uniform(tokenizer));
    }

    /**
     * A model trained by plain gradient descent.
     *
     * @param prior logits of the next token given the last one, before any training
     */
    public static TabularModel sgd(WordTokenizer tokenizer, double[][] prior) {
        return new TabularModel(tokenizer, PrefixTable.of(prior), Optional.empty(), false);
    }

    /** A uniform model trained by AdamW. */
    public static TabularModel adamW(WordTokenizer tokenizer, OptimizerOptions options) {
        return adamW(tokenizer, uniform(tokenizer), options);
    }

    /** A model trained by AdamW from a prior. */
    public static TabularModel adamW(
            WordTokenizer tokenizer, double[][] prior, OptimizerOptions options) {
        return new TabularModel(tokenizer, PrefixTable.of(prior), Optional.of(options), false);
    }

    private static double[][] uniform(WordTokenizer tokenizer) {
        return new double[tokenizer.vocabularySize()][tokenizer.vocabularySize()];
    }

    /** Logits of the token after a prefix; a copy. */
    public double[] logits(int... prefix) {
        return Arrays.copyOf(table.weights(prefix, prefix.length), table.vocabularySize());
    }

    /** Sets the logits of the token after a prefix. */
    public void setLogits(int[] prefix, double... logits) {
        if (logits.length != table.vocabularySize()) {
            throw new TestkitException(
                    logits.length + " logits for a vocabulary of " + table.vocabularySize());
        }
        System.arraycopy(logits, 0, table.node(prefix).weights, 0, logits.length);
    }

    /** Score after a prefix. */
    public double scoreAt(int... prefix) {
        return table.weights(prefix, prefix.length)[table.vocabularySize()];
    }

    /** Sets the score after a prefix. */
    public void setScore(int[] prefix, double score) {
        table.node(prefix).weights[table.vocabularySize()] = score;
    }

    /** Probabilities of the token after a prefix at temperature 1. */
    public double[] probabilities(int... prefix) {
        double[] p = Softmax.logProbs(table.weights(prefix, prefix.length), logitCount(), 1);
        for (int i = 0; i < p.length; i++) {
            p[i] = Math.exp(p[i]);
        }
        return p;
    }

    /** Hash of all trained weights, to see whether anything changed. */
    public long weightsHash() {
        long[] hash = {1};
        table.forEach(node -> hash[0] = hash[0] * 1_000_003 + Arrays.hashCode(node.weights));
        return hash[0];
    }

    @Override
    public ModelInfo info() {
        return new ModelInfo("tabular", "tabular", "cpu", table.parameters(), 1 << 20, true);
    }

    @Override
    public WordTokenizer tokenizer() {
        return tokenizer;
    }

    @Override
    public List<List<Generation>> generate(List<GenerationRequest> requests) {
        checkOpen();
        List<List<Generation>> result = new ArrayList<>(requests.size());
        for (GenerationRequest request : requests) {
            List<Generation> generations = new ArrayList<>(request.samples());
            tokensComputed += request.prompt().length;
            for (int i = 0; i < request.samples(); i++) {
                Generation generation =
                        new Sampler(table, tokenizer.endOfTurn())
                                .sample(request, request.random().derive(i).generator());
                tokensComputed += generation.tokens().length();
                generations.add(generation);
            }
            result.add(generations);
        }
        return result;
    }

    @Override
    public ModelOutputs evaluate(List<TokenTree> rows, Set<Channel> channels) {
        checkOpen();
        ModelOutputs outputs = ModelOutputs.zeros(rows, channels);
        for (int row = 0; row < rows.size(); row++) {
            TokenTree tree = rows.get(row);
            tokensComputed += tree.length();
            for (int s = 0; s < tree.segments().size(); s++) {
                for (Channel channel : channels) {
                    forward(tree, s, channel, outputs.at(channel, row, s));
                }
            }
        }
        return outputs;
    }

    private void forward(TokenTree tree, int s, Channel channel, double[] out) {
        TokenSegment segment = tree.segment(s);
        int[] path = path(tree, s);
        int start = tree.fork(s);
        if (channel.name().equals(Channel.SCORE.name())) {
            for (int m = 0; m < out.length; m++) {
                out[m] = table.weights(path, start + segment.mark(m) + 1)[logitCount()];
            }
            return;
        }
        int k = 0;
        for (int p = 0; p < segment.length(); p++) {
            if (segment.isSupervised(p)) {
                double[] logProbs =
                        Softmax.logProbs(
                                table.weights(path, start + p),
                                logitCount(),
                                channel.temperature());
                out[k++] =
                        isLogProb(channel) ? logProbs[segment.token(p)] : Softmax.entropy(logProbs);
            }
        }
    }

    /** The tokens that the end of a segment has seen: the trunk up to its fork, then its own. */
    private static int[] path(TokenTree tree, int s) {
        int fork = tree.fork(s);
        int[] path = Arrays.copyOf(tree.segment(0).tokens(), fork + tree.segment(s).length());
        System.arraycopy(tree.segment(s).tokens(), 0, path, fork, tree.segment(s).length());
        return path;
    }

    private static boolean isLogProb(Channel channel) {
        if (channel.equals(Channel.logProb(channel.temperature()))) {
            return true;
        }
        if (channel.equals(Channel.entropy(channel.temperature()))) {
            return false;
        }
        throw new TestkitException("the tabular model has no channel " + channel);
    }

    @Override
    public List<double[]> score(List<ContinuationRequest> requests) {
        checkOpen();
        List<double[]> result = new ArrayList<>(requests.size());
        for (ContinuationRequest request : requests) {
            tokensComputed += request.prompt().length;
            double[] scores = new double[request.continuations().size()];
            for (int i = 0; i < scores.length; i++) {
                int[] continuation = request.continuations().get(i);
                int[] path =
                        Arrays.copyOf(
                                request.prompt(), request.prompt().length + continuation.length);
                System.arraycopy(
                        continuation, 0, path, request.prompt().length, continuation.length);
                scores[i] = scoreAt(path);
                tokensComputed += continuation.length;
            }
            result.add(scores);
        }
        return result;
    }

    @Override
    public UpdateReport step(List<TrainingRow> batch, LossFunction loss, UpdateOptions options) {
        checkOpen();
        if (frozen) {
            throw new TestkitException("a snapshot cannot be trained");
        }
        Set<PrefixNode> touched = new LinkedHashSet<>();
        try {
            return step(batch, loss, options, touched);
        } finally {
            touched.forEach(node -> Arrays.fill(node.gradient, 0));
        }
    }

    private UpdateReport step(
            List<TrainingRow> batch,
            LossFunction loss,
            UpdateOptions options,
            Set<PrefixNode> touched) {
        double normalizer = loss.normalizer(batch);
        double total = 0;
        Map<String, Double> metrics = new TreeMap<>();
        for (List<TrainingRow> rows : MicroBatches.split(batch, options.microBatchTokens())) {
            List<TokenTree> trees = rows.stream().map(TrainingRow::tree).toList();
            LossFunction.Value value =
                    loss.evaluate(rows, evaluate(trees, loss.channels()), normalizer);
            total += value.loss();
            value.metrics().forEach((name, part) -> metrics.merge(name, part, Double::sum));
            backward(trees, value.gradient(), touched);
        }
        double norm = Math.sqrt(touched.stream().mapToDouble(TabularModel::squaredNorm).sum());
        boolean applied = Double.isFinite(total) && Double.isFinite(norm);
        if (applied) {
            skipped = 0;
            double scale = Math.min(1, options.maxGradientNorm() / Math.max(norm, 1e-300));
            update(options.learningRate(), scale);
        } else if (++skipped > MAX_SKIPPED_STEPS) {
            throw new TestkitException(
                    skipped + " steps in a row with loss " + total + ", gradient norm " + norm);
        }
        return new UpdateReport(total, norm, applied, metrics);
    }

    private static double squaredNorm(PrefixNode node) {
        return Arrays.stream(node.gradient).map(g -> g * g).sum();
    }

    private void backward(List<TokenTree> rows, ModelOutputs gradient, Set<PrefixNode> touched) {
        for (int row = 0; row < rows.size(); row++) {
            TokenTree tree = rows.get(row);
            for (int s = 0; s < tree.segments().size(); s++) {
                for (Channel channel : gradient.channels()) {
                    backward(tree, s, channel, gradient.at(channel, row, s), touched);
                }
            }
        }
    }

    private void backward(
            TokenTree tree, int s, Channel channel, double[] upstream, Set<PrefixNode> touched) {
        TokenSegment segment = tree.segment(s);
        int[] path = path(tree, s);
        int start = tree.fork(s);
        PrefixNode[] nodes = new PrefixNode[path.length + 1];
        nodes[0] = table.root();
        for (int i = 0; i < path.length; i++) {
            nodes[i + 1] = table.child(nodes[i], path[i]);
        }
        if (channel.name().equals(Channel.SCORE.name())) {
            for (int m = 0; m < upstream.length; m++) {
                PrefixNode node = nodes[start + segment.mark(m) + 1];
                node.gradient[logitCount()] += upstream[m];
                touched.add(node);
            }
            return;
        }
        int k = 0;
        for (int p = 0; p < segment.length(); p++) {
            if (segment.isSupervised(p)) {
                PrefixNode node = nodes[start + p];
                double[] logProbs =
                        Softmax.logProbs(node.weights, logitCount(), channel.temperature());
                double[] slope =
                        isLogProb(channel)
                                ? Softmax.logProbGradient(logProbs, segment.token(p))
                                : Softmax.entropyGradient(logProbs);
                for (int v = 0; v < slope.length; v++) {
                    node.gradient[v] += upstream[k] * slope[v] / channel.temperature();
                }
                k++;
                touched.add(node);
            }
        }
    }

    private void update(double learningRate, double scale) {
        table.countStep();
        if (adamW.isEmpty()) {
            table.forEach(
                    node -> {
                        for (int i = 0; i < node.weights.length; i++) {
                            node.weights[i] -= learningRate * scale * node.gradient[i];
                        }
                    });
            return;
        }
        OptimizerOptions o = adamW.get();
        double correction1 = 1 - Math.pow(o.beta1(), table.steps());
        double correction2 = 1 - Math.pow(o.beta2(), table.steps());
        table.forEach(
                node -> {
                    for (int i = 0; i < node.weights.length; i++) {
                        double g = scale * node.gradient[i];
                        double[] m = node.firstMoment;
                        double[] v = node.secondMoment;
                        m[i] = o.beta1() * m[i] + (1 - o.beta1()) * g;
                        v[i] = o.beta2() * v[i] + (1 - o.beta2()) * g * g;
                        double direction =
                                m[i] / correction1 / (Math.sqrt(v[i] / correction2) + o.epsilon());
                        node.weights[i] -=
                                learningRate * (direction + o.weightDecay() * node.weights[i]);
                    }
                });
    }

    @Override
    public TabularModel snapshot() {
        checkOpen();
        return new TabularModel(tokenizer, table.copy(), adamW, true);
    }

    PrefixTable snapshotTable() {
        return table.copy();
    }

    @Override
    public void saveCheckpoint(Path directory) {
        checkOpen();
        table.write(directory.resolve(WEIGHTS));
    }

    @Override
    public void restoreCheckpoint(Path directory) {
        checkOpen();
        PrefixTable read = PrefixTable.read(directory.resolve(WEIGHTS));
        if (read.vocabularySize() != table.vocabularySize()) {
            throw new TestkitException(
                    directory
                            + " holds a vocabulary of "
                            + read.vocabularySize()
                            + ", this model has "
                            + table.vocabularySize());
        }
        table = read;
    }

    @Override
    public void save(Path directory) {
        checkOpen();
        try {
            Files.createDirectories(directory);
            Files.write(directory.resolve(VOCABULARY), tokenizer.words(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new TestkitException("cannot write the model directory " + directory, e);
        }
        table.write(directory.resolve(WEIGHTS));
    }

    /** Reads what {@link #save} wrote; trains with AdamW. */
    public static TabularModel load(Path directory, OptimizerOptions options) {
        try {
            List<String> words =
                    Files.readAllLines(directory.resolve(VOCABULARY), StandardCharsets.UTF_8);
            return new TabularModel(
                    WordTokenizer.of(words),
                    PrefixTable.read(directory.resolve(WEIGHTS)),
                    Optional.of(options),
                    false);
        } catch (IOException e) {
            throw new TestkitException(directory + " is not a tabular model directory", e);
        }
    }

    /** Reads what {@link #save} wrote, for inference only. */
    public static LanguageModel loadFrozen(Path directory) {
        try (TabularModel model = load(directory, OptimizerOptions.adamW(0))) {
            return model.snapshot();
        }
    }

    @Override
    public void release(String conversation) {}

    @Override
    public long tokensComputed() {
        return tokensComputed;
    }

    @Override
    public void close() {
        closed = true;
    }

    private int logitCount() {
        return table.vocabularySize();
    }

    private void checkOpen() {
        if (closed) {
            throw new TestkitException("the model is closed");
        }
    }
}
