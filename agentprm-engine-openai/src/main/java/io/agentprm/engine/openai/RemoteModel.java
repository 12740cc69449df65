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
    /** What stands for bytes that are no character. */
    private static final char NO_CHARACTER = '\ufffd';

    private final ModelInfo info;
    private final Tokenizer tokenizer;
    private final int vocabulary;
    private final Server server;
    private final Dialect dialect;
    private final TokenProtocol protocol;
    private final AtomicLong tokens = new AtomicLong();

    /**
     * @param vocabulary number of ids that the model knows, perhaps more than its tokenizer
     */
    RemoteModel(ModelInfo info, Tokenizer tokenizer, int vocabulary, Server server) {
        this.info = info;
        this.tokenizer = tokenizer;
        this.vocabulary = vocabulary;
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
        List<List<SampledTokens>> asked = asked(requests);
        List<List<Generation>> out = new ArrayList<>(requests.size());
        for (int r = 0; r < requests.size(); r++) {
            GenerationRequest request = requests.get(r);
            List<SampledTokens> sampled =
                    drawnHere(request)
                            ? constrained(request, request.constraint().orElseThrow())
                            : asked.get(r);
            out.add(sampled.stream().map(this::generation).toList());
        }
        return out;
    }

    /** Whether a reply is chosen here, for a server that keeps to no constraint by itself. */
    private boolean drawnHere(GenerationRequest request) {
        return request.constraint().isPresent() && !dialect.can(Capability.TOKEN_GRAMMARS);
    }

    /** What the server samples, in one go; nothing for requests that are drawn here. */
    private List<List<SampledTokens>> asked(List<GenerationRequest> requests) {
        List<Server.Call> calls = new ArrayList<>();
        for (GenerationRequest request : requests) {
            for (int i = 0; i < samples(request); i++) {
                RandomSource random = request.random().derive(i);
                calls.add(call(question(request, random), random));
            }
        }
        List<JsonNode> answers = server.all(calls);
        List<List<SampledTokens>> out = new ArrayList<>();
        int next = 0;
        for (GenerationRequest request : requests) {
            List<SampledTokens> sampled = new ArrayList<>();
            for (int i = 0; i < samples(request); i++) {
                sampled.add(sampled(answers.get(next++), request));
            }
            out.add(sampled);
        }
        return out;
    }

    private int samples(GenerationRequest request) {
        return drawnHere(request) ? 0 : request.samples();
    }

    private Request question(GenerationRequest request, RandomSource random) {
        int end = tokenizer.endOfTurn();
        Request asked =
                protocol.generation(request.prompt(), request.sampling(), end, Seeds.of(random));
        request.constraint().ifPresent(this::requireWholeCharacters);
        return request.constraint()
                .map(constraint -> protocol.within(asked, constraint, end))
                .orElse(asked);
    }

    /** A grammar never lets a server choose a token whose text is not made of whole characters. */
    private void requireWholeCharacters(TokenConstraint constraint) {
        for (int[] reply : ConstrainedDraw.replies(constraint)) {
            for (int id : reply) {
                String text = tokenizer.decode(new int[] {id});
                if (text.indexOf(NO_CHARACTER) >= 0 || text.indexOf('\0') >= 0) {
                    throw new ServerException(
                            "decoding: constrained allows token "
                                    + id
                                    + ", which is part of a character; a server with grammars never"
                                    + " chooses it, use decoding: free");
                }
            }
        }
    }

    private SampledTokens sampled(JsonNode answer, GenerationRequest request) {
        SampledTokens all = protocol.sampled(answer);
        requireFit(all, request);
        tokens.addAndGet(request.prompt().length + (long) all.length());
        SampledTokens kept =
                request.constraint()
                        .map(allowed -> TokenGrammar.kept(all, allowed, tokenizer.endOfTurn()))
                        .orElse(all);
        return completed(kept, request);
    }

    /** Asks for the log-probabilities that an answer lacked. */
    private SampledTokens completed(SampledTokens sampled, GenerationRequest request) {
        int[] ids = sampled.ids();
        double[] logProbs = sampled.logProbs();
        int[] missing =
                IntStream.range(0, ids.length).filter(i -> Double.isNaN(logProbs[i])).toArray();
        List<Server.Call> calls = new ArrayList<>();
        for (int i : missing) {
            int[] before = joined(request.prompt(), Arrays.copyOf(ids, i));
            calls.add(call(protocol.next(before), request.random().derive("next").derive(i)));
            tokens.addAndGet(before.length);
        }
        List<JsonNode> answers = server.all(calls);
        for (int k = 0; k < missing.length; k++) {
            logProbs[missing[k]] = protocol.next(answers.get(k), ids[missing[k]]);
        }
        return SampledTokens.of(ids, logProbs, sampled.temperature());
    }

    /** Another model than the one that lies here would go unnoticed until nothing makes sense. */
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
            if (id < 0 || id >= vocabulary) {
                throw new ServerException(
                        "the server gave token "
                                + id
                                + ", which "
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
