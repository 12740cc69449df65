package io.agentprm.testkit;

/** The processes that come with the testkit, for configurations. */
public enum ToyProcess {
    HOUSE,
    STOCHASTIC_HOUSE;

    /** The process of this name. */
    public ToyMdp mdp() {
        return switch (this) {
            case HOUSE -> ToyMdp.house();
            case STOCHASTIC_HOUSE -> ToyMdp.stochasticHouse();
        };
    }
}
