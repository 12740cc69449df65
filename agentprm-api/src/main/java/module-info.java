/** The stable contracts of AgentPRM: SPIs and the data they exchange. */
module io.agentprm.api {
    exports io.agentprm.api;
}
