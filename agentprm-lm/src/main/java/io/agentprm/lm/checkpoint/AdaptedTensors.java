package io.agentprm.lm.checkpoint;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/** The tensors of a base model with an adapter merged into them, one at a time when asked for. */
final class AdaptedTensors implements Tensors {
    private final Tensors base;
    private final LoraAdapter adapter;

    AdaptedTensors(Tensors base, LoraAdapter adapter) {
        this.base = base;
        this.adapter = adapter;
    }

    @Override
    public Set<String> names() {
        Set<String> names = new TreeSet<>(base.names());
        names.addAll(adapter.head().keySet());
        return Collections.unmodifiableSet(names);
    }

    @Override
    public TensorShape shape(String name) {
        return ofHead(name) && name.equals(ModelConfig.SCORE_WEIGHT)
                ? TensorShape.of(1, adapter.head().get(name).length)
                : ofHead(name) ? TensorShape.of(1) : base.shape(name);
    }

    private boolean ofHead(String name) {
        return adapter.head().containsKey(name);
    }

    private boolean changed(String name) {
        return ofHead(name) || adapter.weights().contains(name);
    }

    @Override
    public ElementType elementType(String name) {
        return changed(name) ? ElementType.F32 : base.elementType(name);
    }

    @Override
    public ByteBuffer bytes(String name) {
        if (!changed(name)) {
            return base.bytes(name);
        }
        float[] values =
                ofHead(name) ? adapter.head().get(name) : adapter.merge(name, base.toArray(name));
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.multiplyExact(values.length, Float.BYTES))
                        .order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return bytes.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void read(String name, long from, FloatBuffer target) {
        if (ofHead(name)) {
            target.put(adapter.head().get(name), Math.toIntExact(from), target.remaining());
            return;
        }
        FloatBuffer piece = target.slice();
        base.read(name, from, target);
        if (changed(name)) {
            adapter.merge(name, from, piece);
        }
    }

    @Override
    public void close() {
        base.close();
    }
}
