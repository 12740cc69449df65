/**
 * What the tests of this module and of the engines share: small models, reference data and the
 * rules of generation. A JAR of these tests alone carries the package to the engines.
 */
package io.agentprm.lm.testing;
