/** A way of choosing as a stranger would write it: no service file, only this descriptor. */
module doubter {
    requires io.agentprm.api;

    exports doubter;

    provides io.agentprm.api.plugin.PolicyProvider with
            doubter.DoubterProvider;
}
