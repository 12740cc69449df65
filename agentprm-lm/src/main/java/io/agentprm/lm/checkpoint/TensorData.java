package io.agentprm.lm.checkpoint;

import io.agentprm.lm.LanguageModelException;
import java.util.Locale;

/**
 * A tensor to be written. The values are asked for when their turn comes.
 *
 * @param name its name in the file
 * @param shape its dimensions
 * @param values gives the values, row-major
 */
public record TensorData(String name, TensorShape shape, TensorValues values) {

    /**
     * @throws LanguageModelException if the shape has another number of values
     */
    public static TensorData of(String name, TensorShape shape, float[] values) {
        if (values.length != shape.elements()) {
            throw new LanguageModelException(
                    String.format(
                            Locale.ROOT,
                            "Tensor %s of shape %s has %d values",
                            name,
                            shape,
                            values.length));
        }
        return new TensorData(name, shape, TensorValues.of(values));
    }

    /** The tensor of that name in {@code tensors}, converted to float. */
    public static TensorData from(Tensors tensors, String name) {
        return new TensorData(name, tensors.shape(name), TensorValues.from(tensors, name));
    }
}
