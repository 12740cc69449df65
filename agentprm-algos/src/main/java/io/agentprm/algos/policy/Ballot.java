package io.agentprm.algos.policy;

import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The candidates of one state, one entry per distinct action text in the order of first appearance.
 * Only the first entries, {@link #competing}, may be chosen: those whose action is admissible; if
 * there is none, those that have an action at all; if there is none either, everything.
 */
record Ballot(
        State state,
        EpisodeId episode,
        RandomSource random,
        List<Entry> competing,
        List<Entry> others) {
    /**
     * One distinct action.
     *
     * @param decision the first sample that proposed it
     * @param count how many samples did
     */
    record Entry(Decision decision, int count) {}

    static Ballot of(State state, EpisodeId episode, RandomSource random, List<Decision> samples) {
        Predicate<Decision> parsed = decision -> decision.parseFailure().isEmpty();
        Predicate<Decision> admissible =
                decision ->
                        parsed.test(decision)
                                && state.observation()
                                        .admissibleActions()
                                        .map(actions -> actions.contains(decision.action().text()))
                                        .orElse(true);
        Predicate<Decision> mayCompete =
                samples.stream().anyMatch(admissible)
                        ? admissible
                        : samples.stream().anyMatch(parsed) ? parsed : decision -> true;
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (Decision sample : samples) {
            entries.merge(
                    sample.action().text(),
                    new Entry(sample, 1),
                    (before, one) -> new Entry(before.decision(), before.count() + 1));
        }
        List<Entry> competing = new ArrayList<>();
        List<Entry> others = new ArrayList<>();
        for (Entry entry : entries.values()) {
            (mayCompete.test(entry.decision()) ? competing : others).add(entry);
        }
        return new Ballot(state, episode, random, competing, others);
    }
}
