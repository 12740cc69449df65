/** Contract tests for third parties, scripted fakes and a tabular double-precision model. */
module io.agentprm.testkit {
    requires transitive io.agentprm.api;
    requires transitive org.junit.jupiter.api;
    requires org.opentest4j;

    exports io.agentprm.testkit;

    provides io.agentprm.api.plugin.EnvironmentProvider with
            io.agentprm.testkit.ToyEnvironmentProvider;
    provides io.agentprm.api.plugin.InferenceEngineProvider with
            io.agentprm.testkit.TabularEngineProvider;
    provides io.agentprm.api.plugin.AgentModelsProvider with
            io.agentprm.testkit.TabularFamilyProvider;
    provides io.agentprm.api.plugin.PolicyProvider with
            io.agentprm.testkit.ToyExpertProvider;
}
