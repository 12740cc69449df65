/** Trainable and inference language models on DJL PyTorch. */
package io.agentprm.engine.djl;
