package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.ModelInfo;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenConstraint;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.Tokenizer;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.SampledTokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * A model on a server, told everything in token ids of the tokenizer that lies here. Each sample is
 * a request of its own with a seed of its own, so that it is the same whatever else is asked.
 */
final class RemoteModel implements LanguageModel {
    private final ModelInfo info;
    private final Tokenizer tokenizer;
    private final Server server;
    private final Dialect dialect;
    private final TokenProtocol protocol;
    private final AtomicLong tokens = new AtomicLong();

    RemoteModel(ModelInfo info, Tokenizer tokenizer, Server server) {
        this.info = info;
        this.tokenizer = tokenizer;
        this.server = server;
        this.dialect = server.config().dialect();
        this.protocol = TokenProtocol.of(dialect, server.config().model());
    }

    @Override
    public ModelInfo info() {
        return info;
    }

    @Override
    public Tokenizer tokenizer() {
        return tokenizer;
    }

    @Override
    public List<List<Generation>> generate(List<GenerationRequest> requests) {
        List<List<SampledTokens>> free = free(requests);
        List<List<Generation>> out = new ArrayList<>(requests.size());
        for (int r = 0; r < requests.size(); r++) {
            GenerationRequest request = requests.get(r);
            List<SampledTokens> sampled =
                    request.constraint().isPresent()
                            ? constrained(request, request.constraint().get())
                            : free.get(r);
            out.add(sampled.stream().map(this::generation).toList());
        }
        return out;
    }

    /** What is sampled without a constraint, in one go; nothing for requests with one. */
    private List<List<SampledTokens>> free(List<GenerationRequest> requests) {
        List<Server.Call> calls = new ArrayList<>();
        for (GenerationRequest request : requests) {
            for (int i = 0; i < samples(request); i++) {
                RandomSource random = request.random().derive(i);
                calls.add(
                        call(
                                protocol.generation(
                                        request.prompt(),
                                        request.sampling(),
                                        tokenizer.endOfTurn(),
                                        Seeds.of(random)),
                                random));
            }
        }
        List<JsonNode> answers = server.all(calls);
        List<List<SampledTokens>> out = new ArrayList<>();
        int next = 0;
        for (GenerationRequest request : requests) {
            List<SampledTokens> sampled = new ArrayList<>();
            for (int i = 0; i < samples(request); i++) {
                SampledTokens one = protocol.sampled(answers.get(next++));
                requireFit(one, request);
                tokens.addAndGet(request.prompt().length + (long) one.length());
                sampled.add(one);
            }
            out.add(sampled);
        }
        return out;
    }

    private static int samples(GenerationRequest request) {
        return request.constraint().isPresent() ? 0 : request.samples();
    }

    /** Another tokenizer than the model's would go unnoticed until nothing makes sense. */
    private void requireFit(SampledTokens sampled, GenerationRequest request) {
        int[] ids = sampled.ids();
        int limit = request.sampling().maxNewTokens();
        if (ids.length > limit) {
            throw new ServerException(
                    "the server gave "
                            + ids.length
                            + " tokens where at most "
                            + limit
                            + " were asked for");
        }
        for (int id : ids) {
            if (id < 0 || id >= tokenizer.vocabularySize()) {
                throw new ServerException(
                        "the server gave token "
                                + id
                                + ", which the tokenizer of "
                                + info.name()
                                + " does not have: it serves another model");
            }
        }
    }

    private Generation generation(SampledTokens sampled) {
        int[] ids = sampled.ids();
        return new Generation(sampled, ids[ids.length - 1] == tokenizer.endOfTurn());
    }

    private List<SampledTokens> constrained(GenerationRequest request, TokenConstraint constraint) {
        requirePromptLogProbs("decoding: constrained", "use decoding: free");
        List<int[]> replies = ConstrainedDraw.replies(constraint);
        int[] prompt = request.prompt();
        List<int[]> whole = replies.stream().map(reply -> joined(prompt, reply)).toList();
        List<double[]> logProbs =
                logProbs(whole, request.random()).stream()
                        .map(all -> Arrays.copyOfRange(all, prompt.length - 1, all.length))
                        .toList();
        ConstrainedDraw draw = new ConstrainedDraw(constraint, replies, logProbs);
        return IntStream.range(0, request.samples())
                .mapToObj(
                        i -> draw.draw(request.sampling(), request.random().derive(i).generator()))
                .toList();
    }

    private void requirePromptLogProbs(String wanted, String remedy) {
        dialect.require(Capability.PROMPT_LOG_PROBS, wanted, remedy);
    }

    /** For each sequence the log-probability of every token but the first. */
    private List<double[]> logProbs(List<int[]> sequences, RandomSource random) {
        List<Server.Call> calls = new ArrayList<>();
        for (int[] sequence : sequences) {
            calls.add(call(protocol.logProbs(sequence), random.derive(calls.size())));
            tokens.addAndGet(sequence.length);
        }
        List<JsonNode> answers = server.all(calls);
        return IntStream.range(0, answers.size())
                .mapToObj(i -> protocol.logProbs(answers.get(i), sequences.get(i)))
                .toList();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Log-probabilities at temperature 1, and scores; one request for each segment or mark.
     *
     * @throws ServerException for other channels, which servers do not give
     */
    @Override
    public ModelOutputs evaluate(List<TokenTree> rows, Set<Channel> channels) {
        ModelOutputs outputs = ModelOutputs.zeros(rows, channels);
        for (Channel channel : channels) {
            if (channel.equals(Channel.SCORE)) {
                scoreMarks(rows, outputs);
            } else if (channel.equals(Channel.logProb(1))) {
                evaluateLogProbs(rows, outputs);
            } else {
                throw new ServerException(
                        "a server gives no "
                                + channel.name()
                                + " at temperature "
                                + channel.temperature()
                                + ", only log-probabilities at temperature 1; use the engine djl");
            }
        }
        return outputs;
    }

    private void evaluateLogProbs(List<TokenTree> rows, ModelOutputs outputs) {
        requirePromptLogProbs("evaluation of log-probabilities", "use the engine djl");
        List<int[]> sequences = new ArrayList<>();
        for (TokenTree row : rows) {
            for (int s = 0; s < row.segments().size(); s++) {
                sequences.add(path(row, s, row.segment(s).length()));
            }
        }
        List<double[]> values = logProbs(sequences, RandomSource.of(0));
        int next = 0;
        for (int r = 0; r < rows.size(); r++) {
            for (int s = 0; s < rows.get(r).segments().size(); s++) {
                TokenSegment segment = rows.get(r).segment(s);
                double[] all = values.get(next++);
                double[] out = outputs.at(Channel.logProb(1), r, s);
                int offset = all.length + 1 - segment.length();
                int filled = 0;
                for (int t = 0; t < segment.length(); t++) {
                    if (segment.isSupervised(t)) {
                        out[filled++] = all[offset + t - 1];
                    }
                }
            }
        }
    }

    private void scoreMarks(List<TokenTree> rows, ModelOutputs outputs) {
        List<int[]> sequences = new ArrayList<>();
        for (TokenTree row : rows) {
            for (int s = 0; s < row.segments().size(); s++) {
                for (int m = 0; m < row.segment(s).markCount(); m++) {
                    sequences.add(path(row, s, row.segment(s).mark(m) + 1));
                }
            }
        }
        double[] scores = scores(sequences);
        int next = 0;
        for (int r = 0; r < rows.size(); r++) {
            for (int s = 0; s < rows.get(r).segments().size(); s++) {
                double[] out = outputs.at(Channel.SCORE, r, s);
                for (int m = 0; m < out.length; m++) {
                    out[m] = scores[next++];
                }
            }
        }
    }

    /** The tokens that a segment's first ones see, and these. */
    private static int[] path(TokenTree row, int segment, int length) {
        int[] own = Arrays.copyOf(row.segment(segment).tokens(), length);
        return segment == 0
                ? own
                : joined(Arrays.copyOf(row.segment(0).tokens(), row.fork(segment)), own);
    }

    @Override
    public List<double[]> score(List<ContinuationRequest> requests) {
        List<int[]> sequences = new ArrayList<>();
        for (ContinuationRequest request : requests) {
            request.continuations().forEach(c -> sequences.add(joined(request.prompt(), c)));
        }
        double[] scores = scores(sequences);
        List<double[]> out = new ArrayList<>();
        int next = 0;
        for (ContinuationRequest request : requests) {
            out.add(Arrays.copyOfRange(scores, next, next + request.continuations().size()));
            next += request.continuations().size();
        }
        return out;
    }

    private double[] scores(List<int[]> sequences) {
        List<Server.Call> calls = new ArrayList<>();
        for (int[] sequence : sequences) {
            dialect.require(Capability.SCORES, "a reward model", "serve it with vllm or sglang");
            calls.add(call(protocol.score(sequence), RandomSource.of(calls.size())));
            tokens.addAndGet(sequence.length);
        }
        return server.all(calls).stream().mapToDouble(protocol::score).toArray();
    }

    private static Server.Call call(Request request, RandomSource random) {
        return new Server.Call(request.path(), request.body(), random);
    }

    private static int[] joined(int[] first, int[] second) {
        int[] out = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, out, first.length, second.length);
        return out;
    }

    /** The server finds what it has cached by the tokens themselves. */
    @Override
    public void release(String conversation) {}

    /** Tokens that were sent or sampled; what the server had cached is counted too. */
    @Override
    public long tokensComputed() {
        return tokens.get();
    }

    @Override
    public void close() {
        server.close();
    }
}
