package io.agentprm.api.trajectory;

import io.agentprm.api.Stable;
import io.agentprm.api.env.Action;
import java.util.List;
import java.util.Optional;

/**
 * One reply of a policy: an action with its reason, the text it came from and, where known, its
 * tokens. Immutable.
 */
@Stable(since = "1.0")
public final class Decision {
    private final Action action;
    private final String text;
    private final Optional<String> reason;
    private final Optional<SampledTokens> tokens;
    private final Optional<String> parseFailure;
    private final boolean deliberate;
    private final List<Candidate> candidates;

    private Decision(Builder builder) {
        this.action = builder.action;
        this.text = builder.text.orElse(builder.action.text());
        this.reason = builder.reason;
        this.tokens = builder.tokens;
        this.parseFailure = builder.parseFailure;
        this.deliberate = builder.deliberate;
        this.candidates = builder.candidates;
    }

    /** A decision with nothing but an action. */
    public static Decision of(String action) {
        return builder(Action.text(action)).build();
    }

    public static Builder builder(Action action) {
        return new Builder(action);
    }

    public Builder toBuilder() {
        Builder builder = new Builder(action);
        builder.text = Optional.of(text);
        builder.reason = reason;
        builder.tokens = tokens;
        builder.parseFailure = parseFailure;
        builder.deliberate = deliberate;
        builder.candidates = candidates;
        return builder;
    }

    /** The action to execute; the empty text if the reply could not be parsed. */
    public Action action() {
        return action;
    }

    /**
     * The reply as written, without end-of-turn mark; the action's text if nothing else was given.
     */
    public String text() {
        return text;
    }

    public Optional<String> reason() {
        return reason;
    }

    public Optional<SampledTokens> tokens() {
        return tokens;
    }

    /** Why no action was found in the reply; empty if one was. */
    public Optional<String> parseFailure() {
        return parseFailure;
    }

    /**
     * False for an exploratory (noise) action, which belongs to the history but must not be
     * imitated.
     */
    public boolean deliberate() {
        return deliberate;
    }

    /** What was weighed, where a decision is a choice; may be empty. */
    public List<Candidate> candidates() {
        return candidates;
    }

    @Override
    public String toString() {
        return action.text();
    }

    /** Builder of decisions. */
    public static final class Builder {
        private final Action action;
        private Optional<String> text = Optional.empty();
        private Optional<String> reason = Optional.empty();
        private Optional<SampledTokens> tokens = Optional.empty();
        private Optional<String> parseFailure = Optional.empty();
        private boolean deliberate = true;
        private List<Candidate> candidates = List.of();

        private Builder(Action action) {
            this.action = action;
        }

        public Builder text(String value) {
            text = Optional.of(value);
            return this;
        }

        public Builder reason(String value) {
            reason = Optional.of(value);
            return this;
        }

        public Builder tokens(SampledTokens value) {
            tokens = Optional.of(value);
            return this;
        }

        public Builder parseFailure(String why) {
            parseFailure = Optional.of(why);
            return this;
        }

        public Builder deliberate(boolean value) {
            deliberate = value;
            return this;
        }

        public Builder candidates(List<Candidate> value) {
            candidates = List.copyOf(value);
            return this;
        }

        public Decision build() {
            return new Decision(this);
        }
    }
}
