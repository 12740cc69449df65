package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import java.util.List;
import java.util.Set;

/**
 * A language model on some engine. Holds native memory: close it. Called by one thread at a time.
 */
@Experimental(since = "1.0")
public interface LanguageModel extends AutoCloseable {
    ModelInfo info();

    Tokenizer tokenizer();

    /**
     * Continues prompts until the tokenizer's end-of-turn token or the length limit.
     *
     * @return for each request, in order, exactly as many continuations as it asked for
     */
    List<List<Generation>> generate(List<GenerationRequest> requests);

    /** Runs rows forward without gradient and returns the channels asked for. */
    ModelOutputs evaluate(List<TokenTree> rows, Set<Channel> channels);

    /**
     * Scores continuations, sharing each prompt among them.
     *
     * @return for each request, in order, the raw output of the score head after the last token of
     *     each continuation
     */
    List<double[]> score(List<ContinuationRequest> requests);

    /** The conversation is over: its cache may go. Unknown names are ignored. */
    void release(String conversation);

    /**
     * Tokens that went through the network since loading, those of training included: the measure
     * of cost.
     */
    long tokensComputed();

    @Override
    void close();
}
