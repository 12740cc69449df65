/** An environment for AgentPRM, and a policy to begin with. */
package ${package};
