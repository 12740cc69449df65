package io.agentprm.testkit;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link RewardModel} promises. Extend it in a test of your own:
 *
 * <pre>{@code
 * class DistanceRewardTest extends RewardModelContract {
 *     @Override
 *     protected RewardModel openRewardModel() {
 *         return new DistanceReward();
 *     }
 * }
 * }</pre>
 *
 * <p>A reward model that scores in its own environment only also overrides {@link #states}.
 */
public abstract class RewardModelContract {
    private RewardModel model;

    /** A fresh reward model, the same at every call; closed after each test. */
    protected abstract RewardModel openRewardModel();

    /**
     * States to score decisions in, at least two; by default those of a small house with the
     * actions left, right and open.
     */
    protected List<State> states() {
        return ToyStates.ofHouse();
    }

    /** Decisions to score in a state, at least two; by default its admissible actions. */
    protected List<Decision> decisions(State state) {
        return ToyStates.actions(state).stream().map(Decision::of).toList();
    }

    /** How far scores of different batches may lie apart; 0 means the same bits. */
    protected double tolerance() {
        return 0;
    }

    @BeforeEach
    final void openFreshModel() {
        model = openRewardModel();
    }

    @AfterEach
    final void closeModel() {
        model.close();
    }

    private List<ScoringRequest> requests() {
        List<State> states = states();
        return IntStream.range(0, states.size())
                .mapToObj(i -> request(states.get(i), i, decisions(states.get(i))))
                .toList();
    }

    private static ScoringRequest request(State state, int episode, List<Decision> decisions) {
        return ScoringRequest.of(state, new EpisodeId(state.task().id(), episode), decisions);
    }

    private void near(Rule rule, List<double[]> expected, List<double[]> seen, String where) {
        rule.same(expected.size(), seen.size(), where + ", number of answers");
        for (int i = 0; i < expected.size(); i++) {
            rule.near(expected.get(i), seen.get(i), tolerance(), where + ", request " + i);
        }
    }

    private boolean repeats() {
        List<double[]> first = copies(model.score(requests()));
        List<double[]> second = model.score(requests());
        return IntStream.range(0, first.size())
                .allMatch(i -> Arrays.equals(first.get(i), second.get(i)));
    }

    private static List<double[]> copies(List<double[]> scores) {
        return scores.stream().map(double[]::clone).toList();
    }

    private void assumeItRepeats() {
        Assumptions.assumeTrue(repeats(), "does not even repeat itself, see the other rules");
    }

    private void forEachScore(BiConsumer<String, Double> eye) {
        List<ScoringRequest> requests = requests();
        List<double[]> scores = model.score(requests);
        for (int r = 0; r < requests.size(); r++) {
            for (int d = 0; d < scores.get(r).length; d++) {
                String decision =
                        d < requests.get(r).decisions().size()
                                ? requests.get(r).decisions().get(d).toString()
                                : "nothing";
                eye.accept("request " + r + ", decision '" + decision + "'", scores.get(r)[d]);
            }
        }
    }

    @Test
    final void itsIdAndScaleAreStable() {
        Rule rule =
                Rule.of(
                        "id and scale of a reward model are the same at every call, the id not"
                                + " blank",
                        "keep both in fields: reports and choices use them");
        String id = model.id();
        rule.holds(!id.isBlank(), "id()", "some text", "blank text");
        rule.same(id, model.id(), "id(), asked again");
        rule.same(model.scale(), model.scale(), "scale(), asked again");
    }

    @Test
    final void itGivesOneScorePerDecision() {
        Rule rule =
                Rule.of(
                        "each request is answered by one score per decision",
                        "give an array as long as request.decisions()");
        List<ScoringRequest> requests = requests();
        List<double[]> scores = model.score(requests);
        rule.same(requests.size(), scores.size(), "number of answers");
        for (int i = 0; i < requests.size(); i++) {
            rule.same(requests.get(i).decisions().size(), scores.get(i).length, "request " + i);
        }
    }

    @Test
    final void anEmptyBatchIsAnsweredByNothing() {
        Rule rule =
                Rule.of(
                        "no requests are answered by no scores, and a request without decisions by"
                                + " an empty array",
                        "return empty lists and arrays without asking a model");
        rule.answered(
                "score(List.of())",
                () -> rule.same(0, model.score(List.of()).size(), "score(List.of())"));
        List<ScoringRequest> nothing = List.of(request(states().get(0), 0, List.of()));
        rule.answered(
                "a request without decisions",
                () ->
                        rule.same(
                                0,
                                model.score(nothing).get(0).length,
                                "a request without decisions"));
    }

    @Test
    final void scoresAreFinite() {
        Rule rule =
                Rule.of(
                        "a score is a finite number",
                        "throw an AgentPrmException where there is none: it must never win a"
                                + " comparison");
        forEachScore(
                (where, score) ->
                        rule.holds(Double.isFinite(score), where, "a finite number", score));
    }

    @Test
    final void scoresKeepTheDeclaredScale() {
        Rule rule =
                Rule.of(
                        "scores keep the declared scale: of PROBABILITY they lie in [0, 1], and"
                                + " LOGIT and PROBABILITY have a probability in [0, 1]",
                        "declare UNBOUNDED, or bring the scores into the range");
        forEachScore(
                (where, score) -> {
                    if (Double.isFinite(score) && model.scale() != ScoreScale.UNBOUNDED) {
                        rule.holds(
                                model.scale() != ScoreScale.PROBABILITY || inUnit(score),
                                where,
                                "a number in [0, 1]",
                                score);
                        OptionalDouble probability = model.probability(score);
                        rule.holds(
                                probability.isPresent() && inUnit(probability.getAsDouble()),
                                where + ", probability(" + score + ")",
                                "a number in [0, 1]",
                                probability);
                    }
                });
    }

    private static boolean inUnit(double value) {
        return value >= 0 && value <= 1;
    }

    @Test
    final void sameQuestionSameScore() {
        Rule rule =
                Rule.of(
                        "the same request gets the same scores, from this reward model and from"
                                + " another one of the same configuration",
                        "keep nothing from call to call that shows, and draw no random numbers");
        List<double[]> first = copies(model.score(requests()));
        near(rule, first, model.score(requests()), "asked again");
        try (RewardModel other = openRewardModel()) {
            near(rule, first, other.score(requests()), "another reward model");
        }
    }

    @Test
    final void whatElseIsInTheBatchChangesNothing() {
        assumeItRepeats();
        Rule rule =
                Rule.of(
                        "a batch of n is answered like n single requests, in the order asked",
                        "normalise nothing over the batch, and keep the order");
        List<ScoringRequest> requests = requests();
        List<double[]> single =
                requests.stream()
                        .map(request -> model.score(List.of(request)).get(0).clone())
                        .toList();
        near(rule, single, model.score(requests), "all at once");
    }

    @Test
    final void theOtherDecisionsChangeNothing() {
        assumeItRepeats();
        Rule rule =
                Rule.of(
                        "the score of a decision does not depend on the other decisions of its"
                                + " request or on their order",
                        "score Q(s, a), not a comparison with the rest");
        ScoringRequest request = requests().get(0);
        List<Decision> turned = new ArrayList<>(request.decisions());
        Collections.reverse(turned);
        double[] straight = model.score(List.of(request)).get(0).clone();
        double[] back = model.score(List.of(request(request.state(), 0, turned))).get(0).clone();
        for (int i = 0; i < straight.length && straight.length == back.length; i++) {
            Decision decision = request.decisions().get(i);
            String where = "decision '" + decision + "'";
            double[] one = {straight[i]};
            rule.near(
                    one,
                    new double[] {back[back.length - 1 - i]},
                    tolerance(),
                    where + " in reverse order");
            rule.near(
                    one,
                    model.score(List.of(request(request.state(), 0, List.of(decision)))).get(0),
                    tolerance(),
                    where + " alone");
        }
    }

    @Test
    final void oddTextsAreAnsweredOrRefused() {
        Rule rule =
                Rule.of(
                        "odd texts of states and decisions are scored, or refused with an"
                                + " AgentPrmException",
                        "take any text as it comes; where that cannot be, say so in an exception"
                                + " of your own below AgentPrmException");
        ToyStates.odd(List.of("a", "b"))
                .forEach(
                        (what, state) ->
                                rule.answeredOrRefused(
                                        AgentPrmException.class,
                                        what,
                                        () ->
                                                model.score(
                                                        List.of(
                                                                request(
                                                                        state,
                                                                        0,
                                                                        List.of(
                                                                                Decision.of(
                                                                                        state
                                                                                                .instruction())))))));
    }

    @Test
    final void releasingAnEpisodeChangesNoScore() {
        assumeItRepeats();
        Rule rule =
                Rule.of(
                        "an episode may be released at any time, even one never heard of, and"
                                + " scores stay what they were",
                        "drop caches only, and ignore names that are unknown");
        rule.answered(
                "release of an unknown episode",
                () -> model.release(new EpisodeId("never heard of", 7)));
        List<double[]> before = copies(model.score(requests()));
        requests().forEach(request -> model.release(request.episode()));
        near(rule, before, model.score(requests()), "after all were released");
    }

    @Test
    final void whatIsReturnedIsTheCallers() {
        assumeItRepeats();
        Rule rule =
                Rule.of(
                        "a caller that changes a returned array changes no later score",
                        "return a new array at every call");
        List<double[]> before = copies(model.score(requests()));
        model.score(requests()).forEach(scores -> Arrays.fill(scores, 99));
        near(rule, before, model.score(requests()), "after the arrays were overwritten");
    }

    @Test
    final void closingTwiceIsHarmless() {
        Rule rule =
                Rule.of(
                        "a reward model may be closed twice",
                        "make close do nothing the second time");
        RewardModel other = openRewardModel();
        other.close();
        rule.answered("second close", other::close);
    }
}
