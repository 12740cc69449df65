package io.agentprm.testkit;

import io.agentprm.api.lm.TrainableModel;

class TabularModelContractTest extends TrainableModelContract {
    @Override
    protected TrainableModel openModel() {
        return TinyTable.adamW();
    }

    @Override
    protected double tolerance() {
        return 1e-12;
    }
}
