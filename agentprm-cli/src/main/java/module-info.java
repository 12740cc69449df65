/** The agentprm command. */
module io.agentprm.cli {
    requires io.agentprm.api;
    requires io.agentprm.core;
    requires io.agentprm.algos;
    requires io.agentprm.lm;
    requires io.agentprm.engine.djl;
    requires io.agentprm.engine.onnx;
    requires io.agentprm.engine.openai;
    requires io.agentprm.env.alfworld;
    requires io.agentprm.env.webshop;
    requires com.fasterxml.jackson.databind;
    requires org.slf4j;
    requires info.picocli;
    requires java.management;
    requires jdk.httpserver;
    requires jdk.management;

    // picocli fills options by reflection.
    opens io.agentprm.cli to
            info.picocli;
    opens io.agentprm.cli.eval to
            info.picocli;
    opens io.agentprm.cli.export to
            info.picocli;
    opens io.agentprm.cli.run to
            info.picocli;
    opens io.agentprm.cli.play to
            info.picocli;
    opens io.agentprm.cli.plugin to
            info.picocli;
    opens io.agentprm.cli.version to
            info.picocli;
    opens io.agentprm.cli.check to
            info.picocli;
    opens io.agentprm.cli.doctor to
            info.picocli;
}
