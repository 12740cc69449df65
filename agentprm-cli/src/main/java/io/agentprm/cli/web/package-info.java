/**
 * {@code agentprm play --web}: people play in a browser, on a server of this process. Pages are
 * made here and need no script; nothing leaves the machine unless another address is asked for.
 */
package io.agentprm.cli.web;
