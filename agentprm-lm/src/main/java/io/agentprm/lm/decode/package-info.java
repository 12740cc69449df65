/**
 * What engines share when they continue sequences: caches of conversations, batches, samples and
 * how they are drawn. Seen by the engines of this project only.
 */
package io.agentprm.lm.decode;
