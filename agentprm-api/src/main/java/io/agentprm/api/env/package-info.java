/**
 * Environments: a shared suite of tasks that opens cheap sessions, and the data that a session
 * exchanges with the runner.
 */
package io.agentprm.api.env;
