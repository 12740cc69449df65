/**
 * Provider interfaces, found by {@link java.util.ServiceLoader}: named factories of components with
 * typed configurations.
 */
package io.agentprm.api.plugin;
