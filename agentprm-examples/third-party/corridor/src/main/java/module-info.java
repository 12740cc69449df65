/** A corridor of coloured doors: an environment plugin for AgentPRM. */
module org.example.corridor {
    requires transitive io.agentprm.api;

    exports org.example.corridor;

    provides io.agentprm.api.plugin.EnvironmentProvider with
            org.example.corridor.CorridorProvider;
    provides io.agentprm.api.plugin.PolicyProvider with
            org.example.corridor.PorterProvider;
}
