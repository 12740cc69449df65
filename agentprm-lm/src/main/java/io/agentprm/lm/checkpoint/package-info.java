/**
 * Model directories in Hugging Face layout: configuration, safetensors weights, adapters.
 * Everything is plain Java on arrays and buffers; no tensor library is involved.
 */
package io.agentprm.lm.checkpoint;
