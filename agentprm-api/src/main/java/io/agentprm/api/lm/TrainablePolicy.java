package io.agentprm.api.lm;

import io.agentprm.api.Experimental;

/** A language policy whose model can be trained in place. */
@Experimental(since = "1.0")
public interface TrainablePolicy extends LanguagePolicy {
    @Override
    TrainableModel model();
}
