package io.agentprm.env.webshop.suite;

import io.agentprm.api.env.Capability;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.Task;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.catalog.ProductSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The suite of shopping tasks. A task's id is {@code ASIN/N}: the N-th goal of a product, wherever
 * it stands in the list of goals; its category is that of the product.
 */
public final class WebshopEnvironment implements Environment {
    /** Attribute of tasks: the task in words. */
    public static final String INSTRUCTION = "instruction";

    /**
     * Attribute of tasks: the position in the shuffled list of goals, by which others name them.
     */
    public static final String POSITION = "position";

    private static final String VERSION = "1";

    private final ProductSource source;
    private final WebshopConfig config;
    private Optional<Loaded> loaded = Optional.empty();
    private boolean closed;

    WebshopEnvironment(ProductSource source, WebshopConfig config) {
        this.source = source;
        this.config = config;
    }

    /** Products and goals; the first call reads and indexes them. */
    synchronized Loaded loaded() {
        if (closed) {
            throw new WebshopException("the environment is closed; open another one");
        }
        if (loaded.isEmpty()) {
            loaded = Optional.of(Loaded.of(source, config));
        }
        return loaded.get();
    }

    @Override
    public EnvironmentInfo info() {
        return EnvironmentInfo.of("webshop", VERSION, loaded().contentHash(), config.stepLimit());
    }

    @Override
    public List<String> splits() {
        return GoalSplits.names(config.variant(), config.heldOutProducts());
    }

    @Override
    public List<Task> tasks(String split) {
        if (!splits().contains(split)) {
            throw new WebshopException("no split '" + split + "'; those that exist: " + splits());
        }
        Loaded all = loaded();
        return new GoalTasks(all.goals(), split, all.splits().positions(split));
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.FORKABLE, Capability.REPLAYABLE);
    }

    @Override
    public Session open() {
        return new WebshopSession(loaded(), config);
    }

    @Override
    public synchronized void close() {
        closed = true;
        loaded.ifPresent(Loaded::close);
        loaded = Optional.empty();
    }
}
