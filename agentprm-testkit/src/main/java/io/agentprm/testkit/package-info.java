/** Contract tests for third parties, scripted fakes and a tabular double-precision model. */
package io.agentprm.testkit;
