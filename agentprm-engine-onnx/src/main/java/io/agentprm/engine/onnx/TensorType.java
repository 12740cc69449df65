package io.agentprm.engine.onnx;

/** Element types of tensors that are used here, by their numbers in ONNX's TensorProto.DataType. */
enum TensorType {
    FLOAT(1, Float.BYTES),
    UINT8(2, 1),
    INT8(3, 1),
    INT64(7, Long.BYTES),
    FLOAT16(10, Short.BYTES);

    private final int number;
    private final int bytes;

    TensorType(int number, int bytes) {
        this.number = number;
        this.bytes = bytes;
    }

    int number() {
        return number;
    }

    /** Size of an element. */
    int bytes() {
        return bytes;
    }
}
