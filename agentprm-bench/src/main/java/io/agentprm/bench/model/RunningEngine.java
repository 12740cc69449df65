package io.agentprm.bench.model;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.engine.djl.DjlConfig;
import io.agentprm.engine.djl.DjlEngine;
import io.agentprm.engine.onnx.OnnxConfig;
import io.agentprm.engine.onnx.OnnxEngine;
import io.agentprm.engine.onnx.Precision;
import io.agentprm.lm.gguf.GgufPrecision;
import java.util.Arrays;
import java.util.List;

/** Engines that run models, with their number formats. */
enum RunningEngine {
    /** PyTorch through DJL, float32. */
    DJL {
        @Override
        InferenceEngine open(int threads, int batch) {
            return DjlEngine.open(DjlConfig.defaults().withThreads(threads));
        }
    },
    /** ONNX Runtime, float32. */
    ONNX {
        @Override
        InferenceEngine open(int threads, int batch) {
            return onnx(threads, Precision.F32);
        }
    },
    /** ONNX Runtime, weights of 8 bits. */
    ONNX_INT8 {
        @Override
        InferenceEngine open(int threads, int batch) {
            return onnx(threads, Precision.INT8);
        }
    },
    /** ONNX Runtime, weights of 4 bits. */
    ONNX_INT4 {
        @Override
        InferenceEngine open(int threads, int batch) {
            return onnx(threads, Precision.INT4);
        }
    },
    /** llama.cpp's server, float32. */
    LLAMA_CPP {
        @Override
        InferenceEngine open(int threads, int batch) {
            return new LlamaCppEngine(GgufPrecision.F32, threads, batch, List.of());
        }
    },
    /** llama.cpp's server, weights of 8 bits. */
    LLAMA_CPP_Q8 {
        @Override
        InferenceEngine open(int threads, int batch) {
            return new LlamaCppEngine(GgufPrecision.Q8_0, threads, batch, List.of());
        }
    },
    /** llama.cpp's server, weights of 4 bits. */
    LLAMA_CPP_Q4 {
        @Override
        InferenceEngine open(int threads, int batch) {
            return new LlamaCppEngine(GgufPrecision.Q4_0, threads, batch, List.of());
        }
    };

    /** Those that can run here: llama.cpp's where its program is named. */
    static List<RunningEngine> available() {
        return Arrays.stream(values())
                .filter(
                        engine ->
                                engine.compareTo(LLAMA_CPP) < 0
                                        || LlamaServer.program().isPresent())
                .toList();
    }

    /**
     * Opens the engine on the processor's device of its choice.
     *
     * @param threads of a matrix product
     * @param batch most replies at the same time
     */
    abstract InferenceEngine open(int threads, int batch);

    private static InferenceEngine onnx(int threads, Precision precision) {
        return OnnxEngine.open(OnnxConfig.defaults().withThreads(threads).withPrecision(precision));
    }
}
