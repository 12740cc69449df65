/** The stable contracts of AgentPRM: SPIs and the data they exchange. */
module io.agentprm.api {
    exports io.agentprm.api;
    exports io.agentprm.api.config;
    exports io.agentprm.api.env;
    exports io.agentprm.api.lm;
    exports io.agentprm.api.optim;
    exports io.agentprm.api.plugin;
    exports io.agentprm.api.policy;
    exports io.agentprm.api.reward;
    exports io.agentprm.api.rollout;
    exports io.agentprm.api.run;
    exports io.agentprm.api.target;
    exports io.agentprm.api.trajectory;
}
