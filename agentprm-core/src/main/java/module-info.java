/**
 * Plugin discovery, rollouts, trajectory store, run directory, evaluation, configuration binding.
 */
module io.agentprm.core {
    requires transitive io.agentprm.api;
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.dataformat.yaml;
    requires org.slf4j;

    exports io.agentprm.core;
    exports io.agentprm.core.report;
}
