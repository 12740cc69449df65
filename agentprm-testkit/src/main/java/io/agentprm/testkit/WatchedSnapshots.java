package io.agentprm.testkit;

import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.TrainableModel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** An eye on the snapshots that are taken of a model. */
final class WatchedSnapshots {
    /** A snapshot, and what its weights were when it was taken. */
    record Snapshot(TabularModel model, long hash) {}

    private final TabularModel model;
    private final List<Snapshot> taken = new ArrayList<>();

    WatchedSnapshots(TabularModel model) {
        this.model = model;
    }

    /** The snapshots that were taken through {@link #watched}, in order. */
    List<Snapshot> taken() {
        return taken;
    }

    /** The model, whose snapshots are noted. */
    TrainableModel watched() {
        return (TrainableModel)
                Proxy.newProxyInstance(
                        WatchedSnapshots.class.getClassLoader(),
                        new Class<?>[] {TrainableModel.class},
                        (proxy, method, arguments) -> {
                            try {
                                Object result = method.invoke(model, arguments);
                                if (result instanceof TabularModel snapshot) {
                                    taken.add(new Snapshot(snapshot, snapshot.weightsHash()));
                                }
                                return result;
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    /** True if the model answers. */
    static boolean open(LanguageModel model) {
        try {
            model.generate(List.of());
            return true;
        } catch (TestkitException e) {
            return false;
        }
    }
}
