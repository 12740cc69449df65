/** {@code agentprm plugins} and the plugin directory. */
package io.agentprm.cli.plugin;
