/** The one JSON mapper, and typed access to what it reads. */
package io.agentprm.core.json;
