/**
 * Contract tests for third parties, scripted fakes and a tabular double-precision model.
 *
 * <p>The classes named {@code ...Contract} are abstract JUnit classes, one for each kind of plugin,
 * and {@link io.agentprm.testkit.ProviderContract} for the provider of any. Whoever extends one
 * gives it a plugin to try; a failure names the rule that is broken and what to do.
 */
package io.agentprm.testkit;
