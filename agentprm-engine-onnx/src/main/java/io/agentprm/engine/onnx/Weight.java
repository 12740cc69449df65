package io.agentprm.engine.onnx;

import io.agentprm.lm.checkpoint.TensorShape;
import io.agentprm.lm.checkpoint.TensorValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.Checksum;

/**
 * A large constant of a graph, kept beside it.
 *
 * @param rows equal parts that the values are made and written in, so that no more than one of them
 *     is in memory
 * @param part writes a part
 */
record Weight(String name, TensorType type, TensorShape shape, int rows, Part part) {
    private static final int CHUNK = 1 << 20;

    /** Writes a part of a weight. */
    interface Part {
        /**
         * @param row number of the part
         * @param out little-endian, with room for the part
         */
        void put(int row, ByteBuffer out);
    }

    /** A number format of rows. */
    interface Format {
        /**
         * @param out little-endian, with room for the row
         */
        void put(float[] row, ByteBuffer out);
    }

    /** A matrix or a vector of floats, as they are. */
    static Weight floats(String name, TensorShape shape, TensorValues values) {
        int rows = shape.rank() == 1 ? 1 : Math.toIntExact(shape.dim(0));
        int columns = Math.toIntExact(shape.elements() / rows);
        return matrix(name, TensorType.FLOAT, shape, rows, columns, values, Weight::putFloats);
    }

    /**
     * A matrix in some format.
     *
     * @param shape of the weight
     * @param values of the matrix, row-major [rows, columns]
     */
    static Weight matrix(
            String name,
            TensorType type,
            TensorShape shape,
            int rows,
            int columns,
            TensorValues values,
            Format format) {
        float[] row = new float[columns];
        return new Weight(
                name,
                type,
                shape,
                rows,
                (r, out) -> {
                    values.read((long) r * columns, FloatBuffer.wrap(row));
                    format.put(row, out);
                });
    }

    static void putFloats(float[] values, ByteBuffer out) {
        for (float value : values) {
            out.putFloat(value);
        }
    }

    /** Length of the values in bytes. */
    long length() {
        return shape.elements() * type.bytes();
    }

    /**
     * Writes the values, row-major and little-endian, from the channel's position on.
     *
     * @param checksum takes them in
     */
    void write(FileChannel channel, Checksum checksum) throws IOException {
        int size = Math.toIntExact(length() / rows);
        ByteBuffer chunk =
                ByteBuffer.allocateDirect(Math.max(CHUNK, size)).order(ByteOrder.LITTLE_ENDIAN);
        for (int row = 0; row < rows; row++) {
            if (chunk.remaining() < size) {
                flush(chunk, channel, checksum);
            }
            part.put(row, chunk);
        }
        flush(chunk, channel, checksum);
    }

    private static void flush(ByteBuffer chunk, FileChannel channel, Checksum checksum)
            throws IOException {
        chunk.flip();
        checksum.update(chunk.duplicate());
        while (chunk.hasRemaining()) {
            channel.write(chunk);
        }
        chunk.clear();
    }
}
