/** Contract tests for third parties, scripted fakes and a tabular double-precision model. */
module io.agentprm.testkit {
    requires transitive io.agentprm.api;
    requires transitive org.junit.jupiter.api;

    exports io.agentprm.testkit;
}
