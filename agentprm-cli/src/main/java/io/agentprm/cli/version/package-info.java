/** What version this is, and what it runs on. */
package io.agentprm.cli.version;
