/** The agentprm command. */
module io.agentprm.cli {
    requires io.agentprm.api;
    requires io.agentprm.core;
    requires io.agentprm.algos;
    requires io.agentprm.lm;
    requires io.agentprm.engine.djl;
    requires io.agentprm.env.alfworld;
    requires com.fasterxml.jackson.databind;
    requires org.slf4j;
    requires info.picocli;
}
