/**
 * WebShop text engine on Lucene, loader for the released data, generator of a catalogue, experts.
 */
module io.agentprm.env.webshop {
    requires transitive io.agentprm.api;
    requires com.fasterxml.jackson.databind;
    requires org.apache.lucene.core;
    requires org.apache.lucene.analysis.common;
    // Neither has a descriptor: the first has a name in its manifest, the second, which is a file
    // alone, that of its JAR.
    requires org.apache.opennlp.tools;
    requires opennlp.models.pos.en;

    exports io.agentprm.env.webshop;
    exports io.agentprm.env.webshop.catalog;
    exports io.agentprm.env.webshop.check;
    exports io.agentprm.env.webshop.expert;
    exports io.agentprm.env.webshop.generator;
    exports io.agentprm.env.webshop.goal;
    exports io.agentprm.env.webshop.python;
    exports io.agentprm.env.webshop.reward;
    exports io.agentprm.env.webshop.search;
    exports io.agentprm.env.webshop.shop;
    exports io.agentprm.env.webshop.suite;

    provides io.agentprm.api.plugin.EnvironmentProvider with
            io.agentprm.env.webshop.suite.WebshopProvider;
    provides io.agentprm.api.plugin.PolicyProvider with
            io.agentprm.env.webshop.suite.ShopperProvider;
}
