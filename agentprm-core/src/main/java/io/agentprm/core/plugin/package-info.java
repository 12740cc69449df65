/** Discovery of providers, and components made from their names and settings. */
package io.agentprm.core.plugin;
