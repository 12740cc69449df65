/** ALFWorld text engine, loader for the released data, generator of household games, experts. */
module io.agentprm.env.alfworld {
    requires transitive io.agentprm.api;
    requires com.fasterxml.jackson.databind;
    requires org.slf4j;

    exports io.agentprm.env.alfworld;
    exports io.agentprm.env.alfworld.check;
    exports io.agentprm.env.alfworld.engine;
    exports io.agentprm.env.alfworld.game;
    exports io.agentprm.env.alfworld.pddl;
    exports io.agentprm.env.alfworld.expert;
    exports io.agentprm.env.alfworld.generator;
    exports io.agentprm.env.alfworld.household;
    exports io.agentprm.env.alfworld.suite;

    provides io.agentprm.api.plugin.EnvironmentProvider with
            io.agentprm.env.alfworld.suite.AlfworldProvider;
    provides io.agentprm.api.plugin.PolicyProvider with
            io.agentprm.env.alfworld.suite.ExpertProvider;
}
