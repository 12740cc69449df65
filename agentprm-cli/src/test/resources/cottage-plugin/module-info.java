/** A plugin as a stranger would write it: no service file, only this descriptor. */
module cottage {
    requires io.agentprm.api;

    exports cottage;

    provides io.agentprm.api.plugin.EnvironmentProvider with
            cottage.CottageProvider;
}
