package io.agentprm.testkit;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.Capability;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import java.util.List;
import java.util.Set;

/** A good environment, to be broken by overriding one method. */
class WrappedEnvironment implements Environment {
    final Environment inner = ToyEnvironment.of(ToyMdp.stochasticHouse(), 6);

    @Override
    public EnvironmentInfo info() {
        return inner.info();
    }

    @Override
    public List<String> splits() {
        return inner.splits();
    }

    @Override
    public List<Task> tasks(String split) {
        return inner.tasks(split);
    }

    @Override
    public Set<Capability> capabilities() {
        return inner.capabilities();
    }

    @Override
    public Session open() {
        return wrap(inner.open());
    }

    /** The session that is given out. */
    Session wrap(Session session) {
        return session;
    }

    @Override
    public void close() {
        inner.close();
    }

    /** A good session, to be broken by overriding one method. */
    static class WrappedSession implements Session {
        final Session inner;

        WrappedSession(Session inner) {
            this.inner = inner;
        }

        @Override
        public EpisodeStart reset(Task task, long seed) {
            return inner.reset(task, seed);
        }

        @Override
        public StepResult step(Action action) {
            return inner.step(action);
        }

        @Override
        public Session fork() {
            return inner.fork();
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
