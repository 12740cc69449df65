/** Runnable examples. */
module io.agentprm.examples {
    requires io.agentprm.api;
    requires io.agentprm.core;
    requires io.agentprm.algos;
    requires io.agentprm.lm;
    requires io.agentprm.engine.djl;
    requires io.agentprm.env.alfworld;
}
