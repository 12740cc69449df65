package io.agentprm.engine.djl;

import ai.djl.Device;
import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtDeviceType;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.IValue;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;

/**
 * A loaded library of TorchScript functions. DJL's public way to run a method always switches
 * autograd off, so this class, and no other, reaches the package-private calls below it (DJL
 * 0.36.0).
 */
final class Script implements AutoCloseable {
    private final PtSymbolBlock block;
    private final MethodHandle run;
    private final MethodHandle wrap;

    private Script(PtSymbolBlock block, MethodHandle run, MethodHandle wrap) {
        this.block = block;
        this.run = run;
        this.wrap = wrap;
    }

    /** Loads an archive of {@link ScriptArchive}; functions run on the manager's device. */
    static Script load(NDManager manager, byte[] archive) {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Class<?> library = Class.forName("ai.djl.pytorch.jni.PyTorchLibrary");
            Field instance = library.getDeclaredField("LIB");
            instance.setAccessible(true);
            Method load =
                    library.getDeclaredMethod(
                            "moduleLoad",
                            InputStream.class,
                            int[].class,
                            boolean.class,
                            byte[].class,
                            long.class);
            load.setAccessible(true);
            Method run =
                    library.getDeclaredMethod(
                            "moduleRunMethod",
                            long.class,
                            String.class,
                            long[].class,
                            boolean.class,
                            boolean.class);
            run.setAccessible(true);
            Constructor<IValue> constructor = IValue.class.getDeclaredConstructor(long.class);
            constructor.setAccessible(true);
            return new Script(
                    new PtSymbolBlock(
                            (PtNDManager) manager,
                            load(
                                    lookup.unreflect(load).bindTo(instance.get(null)),
                                    manager.getDevice(),
                                    archive)),
                    lookup.unreflect(run).bindTo(instance.get(null)),
                    lookup.unreflectConstructor(constructor));
        } catch (ReflectiveOperationException e) {
            throw new DjlEngineException(
                    "This version of DJL's PyTorch engine has another interior than 0.36.0, which"
                            + " this engine is made for; put pytorch-engine 0.36.0 on the class"
                            + " path",
                    e);
        }
    }

    /** DJL's own way reads each archive, of a few kilobytes, through a new array of 4 MB. */
    private static long load(MethodHandle load, Device device, byte[] archive) {
        int[] where = {PtDeviceType.toDeviceType(device), device.getDeviceId()};
        try {
            return (long)
                    load.invoke(
                            new ByteArrayInputStream(archive),
                            where,
                            false,
                            new byte[archive.length],
                            -1L);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new DjlEngineException("Kernels can't be loaded: " + e, e);
        }
    }

    /**
     * Runs a function that returns one tensor.
     *
     * @param owner manager that closes the result
     * @param gradient whether autograd records
     * @param arguments NDArray, List of NDArray, {@link IValue} (stays open), Long, Integer,
     *     Double, Boolean, double[] or long[]
     */
    NDArray call(NDManager owner, String function, boolean gradient, Object... arguments) {
        try (IValue result = invoke(function, gradient, arguments)) {
            return result.toTensor((PtNDManager) owner);
        }
    }

    /** Runs a function that returns nothing, where autograd records. */
    void run(String function, Object... arguments) {
        invoke(function, true, arguments).close();
    }

    private IValue invoke(String function, boolean gradient, Object... arguments) {
        IValue[] values = new IValue[arguments.length];
        long[] handles = new long[arguments.length];
        try {
            for (int i = 0; i < arguments.length; i++) {
                values[i] = value(arguments[i]);
                handles[i] = values[i].getHandle();
            }
            long result =
                    (long)
                            run.invokeExact(
                                    (long) block.getHandle(), function, handles, gradient, false);
            return (IValue) wrap.invokeExact(result);
        } catch (EngineException e) {
            throw new DjlEngineException("Kernel " + function + " failed: " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new DjlEngineException("Kernel " + function + " failed: " + e, e);
        } finally {
            for (int i = 0; i < values.length; i++) {
                if (values[i] != null && values[i] != arguments[i]) {
                    values[i].close();
                }
            }
        }
    }

    /** A list of tensors that can be passed to many calls. The caller closes it. */
    static IValue list(List<NDArray> arrays) {
        return IValue.listFrom(arrays.toArray(PtNDArray[]::new));
    }

    private static IValue value(Object argument) {
        if (argument instanceof IValue v) {
            return v;
        } else if (argument instanceof PtNDArray a) {
            return IValue.from(a);
        } else if (argument instanceof List<?> list) {
            return IValue.listFrom(list.toArray(PtNDArray[]::new));
        } else if (argument instanceof Integer n) {
            return IValue.from((long) n);
        } else if (argument instanceof Long n) {
            return IValue.from(n);
        } else if (argument instanceof Double x) {
            return IValue.from(x);
        } else if (argument instanceof Boolean b) {
            return IValue.from(b);
        } else if (argument instanceof double[] list) {
            return IValue.listFrom(list);
        } else if (argument instanceof long[] list) {
            return IValue.listFrom(list);
        }
        throw new IllegalArgumentException("no TorchScript value for " + argument);
    }

    @Override
    public void close() {
        block.close();
    }
}
