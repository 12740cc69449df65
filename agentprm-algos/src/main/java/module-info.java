/** Target estimators, losses, policy optimisers and decoding policies in plain Java. */
module io.agentprm.algos {
    requires transitive io.agentprm.api;

    exports io.agentprm.algos;
}
