/** An environment for AgentPRM. */
module ${package} {
    requires transitive io.agentprm.api;

    exports ${package};

    provides io.agentprm.api.plugin.EnvironmentProvider with
            ${package}.${className}Provider;
    provides io.agentprm.api.plugin.PolicyProvider with
            ${package}.NoviceProvider;
}
