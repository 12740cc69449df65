/**
 * What every benchmark needs: clocks that a shared machine distorts little, and its description.
 */
package io.agentprm.bench.measure;
