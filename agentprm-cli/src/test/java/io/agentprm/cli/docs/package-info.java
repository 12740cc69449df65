/** The code of the documentation, compiled, bound, read and run as its readers would. */
package io.agentprm.cli.docs;
