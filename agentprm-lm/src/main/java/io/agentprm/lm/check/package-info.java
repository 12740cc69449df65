/** Holds engines against numbers that the real Hugging Face code wrote for small models. */
package io.agentprm.lm.check;
