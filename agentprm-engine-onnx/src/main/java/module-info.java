/** Inference on ONNX Runtime, and the exporter from checkpoints to ONNX. */
module io.agentprm.engine.onnx {
    requires transitive io.agentprm.api;
    requires io.agentprm.lm;
    requires org.slf4j;
    requires com.microsoft.onnxruntime;
    requires com.sun.jna;

    exports io.agentprm.engine.onnx;

    provides io.agentprm.api.plugin.InferenceEngineProvider with
            io.agentprm.engine.onnx.OnnxEngineProvider;
}
