/** The stable contracts of AgentPRM: SPIs and the data they exchange. */
package io.agentprm.api;
