package io.agentprm.lm.agent;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.ModelInfo;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.Tokenizer;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.SampledTokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Says what it is told, or one fixed reply; scores by length, and remembers what it was asked. */
final class FakeModel implements LanguageModel {
    private final Tokenizer tokenizer;
    private final List<GenerationRequest> generations = new ArrayList<>();
    private final List<String> released = new ArrayList<>();
    private Generation reply =
            new Generation(SampledTokens.of(new int[0], new double[0], 1), false);
    private Optional<Function<RandomSource, String>> speaker = Optional.empty();
    private boolean scoreHead = true;

    FakeModel(Tokenizer tokenizer) {
        this.tokenizer = tokenizer;
    }

    /** Replies that end, each drawn from the sample's own random source. */
    void replies(Function<RandomSource, String> drawn) {
        speaker = Optional.of(drawn);
    }

    void reply(String text, boolean stopped) {
        reply = generation(text, stopped);
    }

    private Generation generation(String text, boolean stopped) {
        int[] ids = tokenizer.encode(text);
        if (stopped) {
            ids = Arrays.copyOf(ids, ids.length + 1);
            ids[ids.length - 1] = tokenizer.endOfTurn();
        }
        return new Generation(SampledTokens.of(ids, new double[ids.length], 1), stopped);
    }

    void withoutScoreHead() {
        scoreHead = false;
    }

    GenerationRequest lastGeneration() {
        return generations.get(generations.size() - 1);
    }

    List<GenerationRequest> generations() {
        return generations;
    }

    List<String> released() {
        return released;
    }

    @Override
    public ModelInfo info() {
        return new ModelInfo("fake", "fake", "cpu", 0, 512, scoreHead);
    }

    @Override
    public Tokenizer tokenizer() {
        return tokenizer;
    }

    @Override
    public List<List<Generation>> generate(List<GenerationRequest> requests) {
        generations.addAll(requests);
        return requests.stream()
                .map(r -> IntStream.range(0, r.samples()).mapToObj(i -> sample(r, i)).toList())
                .toList();
    }

    private Generation sample(GenerationRequest request, int number) {
        return speaker.map(s -> generation(s.apply(request.random().derive(number)), true))
                .orElse(reply);
    }

    @Override
    public ModelOutputs evaluate(List<TokenTree> rows, Set<Channel> channels) {
        throw new UnsupportedOperationException("the fake has no outputs");
    }

    @Override
    public List<double[]> score(List<ContinuationRequest> requests) {
        return requests.stream()
                .map(r -> r.continuations().stream().mapToDouble(c -> c.length).toArray())
                .toList();
    }

    @Override
    public void release(String conversation) {
        released.add(conversation);
    }

    @Override
    public long tokensComputed() {
        return 0;
    }

    @Override
    public void close() {}
}
