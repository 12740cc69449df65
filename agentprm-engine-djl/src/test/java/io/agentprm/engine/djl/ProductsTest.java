package io.agentprm.engine.djl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.testing.TinyModels;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library that computes a product is chosen by speed; the numbers don't depend on it. */
class ProductsTest {
    @TempDir Path dir;
    private Decoder decoder;

    @BeforeEach
    void load() {
        Path model = TinyModels.create(dir, "model", 1);
        decoder = TestEngine.open().decoder(ModelDirectory.open(model));
    }

    @AfterEach
    void close() {
        decoder.close();
    }

    @Test
    void productsAndTheirGradientsAreThoseOfDoublePrecision() {
        for (int rows : new int[] {1, 15, 16, 100}) {
            for (int inner : new int[] {16, 40, 96}) {
                for (int width : new int[] {3, 32, 48, 64, 80, 96, 128, 259, 320}) {
                    check(rows, inner, width);
                }
            }
        }
    }

    private void check(int rows, int inner, int width) {
        Random random = new Random(rows + inner + width);
        float[] x = values(random, rows * inner);
        float[] w = values(random, width * inner);
        float[] slope = values(random, rows * width);
        String shape = rows + " x " + inner + " x " + width;
        try (NDManager manager = decoder.manager().newSubManager()) {
            NDArray left = Decoder.create(manager, x, 1, rows, inner);
            NDArray right = Decoder.create(manager, w, width, inner);
            float[] expected = product(x, w, rows, inner, width);
            assertClose(expected, exact(manager, left, right, false), shape);
            left.setRequiresGradient(true);
            right.setRequiresGradient(true);
            JniUtils.setGradMode(true);
            try (Tape tape = new Tape()) {
                NDArray y =
                        decoder.script().call(manager, "exact", true, left, right, tape.value());
                NDArray dy = Decoder.create(manager, slope, 1, rows, width);
                tape.backward(decoder.script(), y, dy);
                assertClose(expected, y.toFloatArray(), shape + " with gradient");
            } finally {
                JniUtils.setGradMode(false);
            }
            assertClose(
                    product(slope, transposed(w, width, inner), rows, width, inner),
                    gradient(manager, left),
                    shape + " gradient of the left factor");
            assertClose(
                    product(
                            transposed(slope, rows, width),
                            transposed(x, rows, inner),
                            width,
                            rows,
                            inner),
                    gradient(manager, right),
                    shape + " gradient of the right factor");
        }
    }

    private float[] exact(NDManager manager, NDArray x, NDArray w, boolean gradient) {
        return decoder.script().call(manager, "exact", gradient, x, w, List.of()).toFloatArray();
    }

    private static float[] gradient(NDManager manager, NDArray array) {
        PtNDArray gradient = JniUtils.getGradient((PtNDArray) array);
        gradient.attach(manager);
        return gradient.toFloatArray();
    }

    private static float[] values(Random random, int count) {
        float[] out = new float[count];
        for (int i = 0; i < count; i++) {
            out[i] = (float) random.nextGaussian();
        }
        return out;
    }

    private static float[] transposed(float[] matrix, int rows, int columns) {
        float[] out = new float[matrix.length];
        for (int r = 0; r < rows; r++) {
            for (int c = 0; c < columns; c++) {
                out[c * rows + r] = matrix[r * columns + c];
            }
        }
        return out;
    }

    /** Of the first matrix and the second one transposed. */
    private static float[] product(float[] x, float[] w, int rows, int inner, int width) {
        float[] out = new float[rows * width];
        for (int r = 0; r < rows; r++) {
            for (int c = 0; c < width; c++) {
                double sum = 0;
                for (int k = 0; k < inner; k++) {
                    sum += (double) x[r * inner + k] * w[c * inner + k];
                }
                out[r * width + c] = (float) sum;
            }
        }
        return out;
    }

    private static void assertClose(float[] expected, float[] actual, String what) {
        assertEquals(expected.length, actual.length, what);
        assertArrayEquals(expected, actual, 1e-4f, what);
    }
}
