/**
 * The environment {@code alfworld}: released or generated games behind the framework's contract.
 */
package io.agentprm.env.alfworld.suite;
