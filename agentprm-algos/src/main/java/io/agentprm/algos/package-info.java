/** Target estimators, losses, policy optimisers and decoding policies in plain Java. */
package io.agentprm.algos;
