package io.agentprm.core.report;

import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.trajectory.Trajectory;

/**
 * An episode for the viewer.
 *
 * @param label who acted and why it is shown, such as {@code BoN(pi-0, Q-0), first failure}
 * @param scale meaning of the candidates' scores
 * @param trajectory the episode; its decisions carry the candidates
 */
public record SampleEpisode(String label, ScoreScale scale, Trajectory trajectory) {}
