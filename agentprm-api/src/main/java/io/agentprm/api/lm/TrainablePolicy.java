package io.agentprm.api.lm;

/** A language policy whose model can be trained in place. */
public interface TrainablePolicy extends LanguagePolicy {
    @Override
    TrainableModel model();
}
