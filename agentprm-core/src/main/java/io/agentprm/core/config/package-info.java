/**
 * Configuration: YAML or JSON bound to records, with every error at its line; and back to text, and
 * the reference documentation from the same records.
 */
package io.agentprm.core.config;
