/**
 * Plugin discovery, rollouts, trajectory store, run directory, evaluation, configuration binding.
 */
module io.agentprm.core {
    requires transitive io.agentprm.api;
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.dataformat.yaml;
    requires org.slf4j;

    exports io.agentprm.core;
    exports io.agentprm.core.config;
    exports io.agentprm.core.context;
    exports io.agentprm.core.eval;
    exports io.agentprm.core.files;
    exports io.agentprm.core.pipeline;
    exports io.agentprm.core.plugin;
    exports io.agentprm.core.report;
    exports io.agentprm.core.rollout;
    exports io.agentprm.core.run;
    exports io.agentprm.core.store;

    uses io.agentprm.api.plugin.AgentModelsProvider;
    uses io.agentprm.api.plugin.EnvironmentProvider;
    uses io.agentprm.api.plugin.InferenceEngineProvider;
    uses io.agentprm.api.plugin.PolicyOptimizerProvider;
    uses io.agentprm.api.plugin.PolicyProvider;
    uses io.agentprm.api.plugin.RewardLearnerProvider;
    uses io.agentprm.api.plugin.RewardModelProvider;
    uses io.agentprm.api.plugin.TargetEstimatorProvider;
}
