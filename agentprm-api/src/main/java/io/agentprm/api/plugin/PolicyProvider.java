package io.agentprm.api.plugin;

import io.agentprm.api.Stable;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RunContext;

/**
 * Makes policies that need no training of their own: experts, decoding policies around another
 * policy.
 */
@Stable(since = "1.0")
public interface PolicyProvider<C extends Record> extends Provider<C> {
    Policy create(C configuration, Components components, RunContext context);
}
