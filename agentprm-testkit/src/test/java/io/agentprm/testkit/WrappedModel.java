package io.agentprm.testkit;

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
import java.util.List;
import java.util.Set;

/** A good model, to be broken by overriding one method. */
class WrappedModel implements LanguageModel {
    final LanguageModel inner;

    WrappedModel(LanguageModel inner) {
        this.inner = inner;
    }

    @Override
    public ModelInfo info() {
        return inner.info();
    }

    @Override
    public Tokenizer tokenizer() {
        return inner.tokenizer();
    }

    @Override
    public List<List<Generation>> generate(List<GenerationRequest> requests) {
        List<GenerationRequest> changed = new ArrayList<>();
        for (int place = 0; place < requests.size(); place++) {
            changed.add(change(requests.get(place), place));
        }
        return inner.generate(changed);
    }

    /** The request that is really made. */
    GenerationRequest change(GenerationRequest request, int place) {
        return request;
    }

    @Override
    public ModelOutputs evaluate(List<TokenTree> rows, Set<Channel> channels) {
        return inner.evaluate(rows, channels);
    }

    @Override
    public List<double[]> score(List<ContinuationRequest> requests) {
        return inner.score(requests);
    }

    @Override
    public void release(String conversation) {
        inner.release(conversation);
    }

    @Override
    public long tokensComputed() {
        return inner.tokensComputed();
    }

    @Override
    public void close() {
        inner.close();
    }
}
