package io.agentprm.testkit;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Policy} promises. Extend it in a test of your own:
 *
 * <pre>{@code
 * class GreedyPolicyTest extends PolicyContract {
 *     @Override
 *     protected Policy openPolicy() {
 *         return new GreedyPolicy();
 *     }
 * }
 * }</pre>
 *
 * <p>A policy that decides in its own environment only also overrides {@link #states}.
 */
public abstract class PolicyContract {
    private static final int MANY = 16;

    private Policy policy;

    /** A fresh policy, the same at every call; closed after each test. */
    protected abstract Policy openPolicy();

    /**
     * States to decide on, at least two; by default those of a small house with the actions left,
     * right and open. {@code trajectory.states()} of a {@link SimpleRollouts} gives some of yours.
     */
    protected List<State> states() {
        return ToyStates.ofHouse();
    }

    @BeforeEach
    final void openFreshPolicy() {
        policy = openPolicy();
    }

    @AfterEach
    final void closePolicy() {
        policy.close();
    }

    private List<DecisionRequest> requests(int samples) {
        List<State> states = states();
        return IntStream.range(0, states.size())
                .mapToObj(i -> request(states.get(i), i, samples, RandomSource.of(23).derive(i)))
                .toList();
    }

    private static DecisionRequest request(
            State state, int episode, int samples, RandomSource random) {
        return DecisionRequest.of(
                state, new EpisodeId(state.task().id(), episode), samples, random);
    }

    /** Decisions on each request, as text. */
    private static List<String> decide(Policy policy, List<DecisionRequest> requests) {
        return policy.decide(requests).stream()
                .map(decisions -> decisions.stream().map(PolicyContract::describe).toList())
                .map(List::toString)
                .toList();
    }

    private static String describe(Decision decision) {
        return decision.action()
                + " from '"
                + decision.text()
                + "' "
                + decision.reason()
                + decision.parseFailure()
                + decision.tokens().map(tokens -> Arrays.toString(tokens.ids()));
    }

    private boolean repeats() {
        return decide(policy, requests(3)).equals(decide(policy, requests(3)));
    }

    private void assumeItRepeats() {
        Assumptions.assumeTrue(repeats(), "does not even repeat itself, see the other rule");
    }

    @Test
    final void itsIdIsStable() {
        Rule rule =
                Rule.of(
                        "the id of a policy is the same at every call and not blank",
                        "keep it in a field: labels and reports use it");
        String id = policy.id();
        rule.holds(!id.isBlank(), "id()", "some text", "blank text");
        rule.same(id, policy.id(), "id(), asked again");
    }

    @Test
    final void itGivesAsManyDecisionsAsAskedFor() {
        Rule rule =
                Rule.of(
                        "each request is answered by exactly as many decisions as it asked for",
                        "give samples() decisions for each request");
        for (int samples : new int[] {1, 2}) {
            List<DecisionRequest> requests = requests(samples);
            List<List<Decision>> decisions = policy.decide(requests);
            rule.same(requests.size(), decisions.size(), "number of answers");
            for (List<Decision> answer : decisions) {
                rule.same(samples, answer.size(), "decisions for a request of " + samples);
            }
        }
    }

    @Test
    final void anEmptyBatchIsAnsweredByNothing() {
        Rule rule =
                Rule.of(
                        "no requests are answered by no decisions",
                        "return an empty list without asking a model");
        rule.answered(
                "decide(List.of())",
                () -> rule.same(List.of(), policy.decide(List.of()), "decide(List.of())"));
    }

    @Test
    final void sameRequestSameDecisions() {
        Rule rule =
                Rule.of(
                        "the same request gets the same decisions, from this policy and from"
                                + " another one of the same configuration",
                        "draw from request.random() only, and keep nothing from call to call that"
                                + " shows");
        List<String> first = decide(policy, requests(3));
        rule.sameLines(first, decide(policy, requests(3)), "asked again, request by line");
        try (Policy other = openPolicy()) {
            rule.sameLines(first, decide(other, requests(3)), "another policy, request by line");
        }
    }

    @Test
    final void whatElseIsInTheBatchChangesNothing() {
        assumeItRepeats();
        Rule rule =
                Rule.of(
                        "a batch of n is answered like n single requests, in the order asked",
                        "key draws by request, not by place in the batch, and keep the order");
        List<DecisionRequest> requests = requests(3);
        List<String> single =
                requests.stream().map(r -> decide(policy, List.of(r)).get(0)).toList();
        rule.sameLines(single, decide(policy, requests), "all at once, request by line");
        List<DecisionRequest> turned = new ArrayList<>(requests);
        Collections.reverse(turned);
        List<String> back = new ArrayList<>(decide(policy, turned));
        Collections.reverse(back);
        rule.sameLines(single, back, "all at once in reverse order, request by line");
    }

    @Test
    final void aSampleDependsOnItsNumberOnly() {
        assumeItRepeats();
        Rule rule =
                Rule.of(
                        "sample i is the same however many samples are asked for",
                        "draw sample i from request.random().derive(i)");
        for (DecisionRequest request : requests(3)) {
            String one = describe(policy.decide(List.of(request.withSamples(1))).get(0).get(0));
            rule.same(
                    one,
                    describe(policy.decide(List.of(request)).get(0).get(0)),
                    "sample 0 of 3, compared with sample 0 of 1");
        }
    }

    @Test
    final void theSamplesOfARequestAreDrawnApart() {
        State state = states().get(0);
        List<DecisionRequest> apart =
                IntStream.range(0, MANY)
                        .mapToObj(i -> request(state, 0, 1, RandomSource.of(i)))
                        .toList();
        Assumptions.assumeTrue(
                decide(policy, apart).stream().distinct().count() > 1, "no chance in it");
        Rule rule =
                Rule.of(
                        "a policy with chance in it draws each sample of a request anew",
                        "draw sample i from request.random().derive(i), not all from one seed");
        long distinct =
                policy.decide(List.of(request(state, 0, MANY, RandomSource.of(1)))).get(0).stream()
                        .map(PolicyContract::describe)
                        .distinct()
                        .count();
        rule.holds(
                distinct > 1, MANY + " samples", "at least 2 different ones", distinct + " only");
    }

    @Test
    final void aReplyWithoutAnActionSaysSo() {
        Rule rule =
                Rule.of(
                        "a decision has an action with text, or none and the reason why",
                        "call parseFailure(why) with the empty action where no action was found");
        for (List<Decision> decisions : policy.decide(requests(3))) {
            for (Decision decision : decisions) {
                rule.same(
                        decision.action().text().isEmpty(),
                        decision.parseFailure().isPresent(),
                        "'" + decision.text() + "': parse failure present");
            }
        }
    }

    @Test
    final void oddTextsAreAnsweredOrRefused() {
        Rule rule =
                Rule.of(
                        "a state with odd texts is decided on, or refused with an"
                                + " AgentPrmException",
                        "take any text as it comes; where that cannot be, say so in an exception"
                                + " of your own below AgentPrmException");
        ToyStates.odd(ToyStates.actions(states().get(0)))
                .forEach(
                        (what, state) ->
                                rule.answeredOrRefused(
                                        AgentPrmException.class,
                                        what,
                                        () ->
                                                policy.decide(
                                                        List.of(
                                                                request(
                                                                        state,
                                                                        0,
                                                                        1,
                                                                        RandomSource.of(1))))));
    }

    @Test
    final void releasingAnEpisodeChangesNoDecision() {
        assumeItRepeats();
        Rule rule =
                Rule.of(
                        "an episode may be released at any time, even one never heard of, and"
                                + " decisions stay what they were",
                        "drop caches only, and ignore names that are unknown");
        rule.answered(
                "release of an unknown episode",
                () -> policy.release(new EpisodeId("never heard of", 7)));
        List<String> before = decide(policy, requests(3));
        requests(1).forEach(request -> policy.release(request.episode()));
        rule.sameLines(before, decide(policy, requests(3)), "after all were released");
    }

    @Test
    final void whatIsReturnedIsTheCallers() {
        assumeItRepeats();
        Rule rule =
                Rule.of(
                        "a caller that changes a returned list changes no later decision",
                        "return a new or an unmodifiable list at every call");
        List<String> before = decide(policy, requests(3));
        for (List<Decision> answer : policy.decide(requests(3))) {
            try {
                answer.clear();
            } catch (UnsupportedOperationException e) {
                // As it should be.
            }
        }
        rule.sameLines(before, decide(policy, requests(3)), "after the lists were cleared");
    }

    @Test
    final void closingTwiceIsHarmless() {
        Rule rule =
                Rule.of("a policy may be closed twice", "make close do nothing the second time");
        Policy other = openPolicy();
        other.close();
        rule.answered("second close", other::close);
    }
}
