package io.agentprm.testkit;

import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.State;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;

/**
 * A reward model given by a function, which may give NaN. Counts what it was asked, to be read by
 * the thread that calls it.
 */
public final class ScriptedRewardModel implements RewardModel {
    private final ScoreScale scale;
    private final ToDoubleBiFunction<State, Decision> script;
    private long decisionsScored;

    private ScriptedRewardModel(ScoreScale scale, ToDoubleBiFunction<State, Decision> script) {
        this.scale = scale;
        this.script = script;
    }

    /** A reward model whose scores are log-odds. */
    public static ScriptedRewardModel of(ToDoubleBiFunction<State, Decision> script) {
        return of(ScoreScale.LOGIT, script);
    }

    public static ScriptedRewardModel of(
            ScoreScale scale, ToDoubleBiFunction<State, Decision> script) {
        return new ScriptedRewardModel(scale, script);
    }

    /** Never a number. */
    public static ScriptedRewardModel notANumber() {
        return of((state, decision) -> Double.NaN);
    }

    /** Number of decisions that it was asked to score. */
    public long decisionsScored() {
        return decisionsScored;
    }

    @Override
    public String id() {
        return "scripted";
    }

    @Override
    public ScoreScale scale() {
        return scale;
    }

    @Override
    public List<double[]> score(List<ScoringRequest> requests) {
        List<double[]> result = new ArrayList<>(requests.size());
        for (ScoringRequest request : requests) {
            decisionsScored += request.decisions().size();
            result.add(
                    request.decisions().stream()
                            .mapToDouble(d -> script.applyAsDouble(request.state(), d))
                            .toArray());
        }
        return result;
    }
}
