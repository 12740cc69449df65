/** Runnable examples. */
package io.agentprm.examples;
