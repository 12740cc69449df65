/** Requires the contracts and the core; algorithms and the toy house are found as services. */
module consumer {
    requires io.agentprm.api;
    requires io.agentprm.core;
}
