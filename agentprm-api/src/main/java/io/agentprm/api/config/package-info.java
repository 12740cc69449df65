/**
 * Annotations by which a configuration record documents itself; core binds YAML or JSON to such
 * records.
 */
package io.agentprm.api.config;
