/** {@code agentprm check}: holds engines against recorded numbers of the original. */
package io.agentprm.cli.check;
