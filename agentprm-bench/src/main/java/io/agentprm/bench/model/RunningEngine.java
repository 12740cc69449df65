package io.agentprm.bench.model;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.engine.djl.DjlConfig;
import io.agentprm.engine.djl.DjlEngine;
import io.agentprm.engine.onnx.OnnxConfig;
import io.agentprm.engine.onnx.OnnxEngine;
import io.agentprm.engine.onnx.Precision;

/** Engines that run models, with their number formats. */
enum RunningEngine {
    /** PyTorch through DJL, float32. */
    DJL {
        @Override
        InferenceEngine open(int threads) {
            return DjlEngine.open(DjlConfig.defaults().withThreads(threads));
        }
    },
    /** ONNX Runtime, float32. */
    ONNX {
        @Override
        InferenceEngine open(int threads) {
            return onnx(threads, Precision.F32);
        }
    },
    /** ONNX Runtime, weights of 8 bits. */
    ONNX_INT8 {
        @Override
        InferenceEngine open(int threads) {
            return onnx(threads, Precision.INT8);
        }
    },
    /** ONNX Runtime, weights of 4 bits. */
    ONNX_INT4 {
        @Override
        InferenceEngine open(int threads) {
            return onnx(threads, Precision.INT4);
        }
    };

    /**
     * Opens the engine on the processor's device of its choice.
     *
     * @param threads of a matrix product
     */
    abstract InferenceEngine open(int threads);

    private static InferenceEngine onnx(int threads, Precision precision) {
        return OnnxEngine.open(OnnxConfig.defaults().withThreads(threads).withPrecision(precision));
    }
}
