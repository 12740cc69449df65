package io.agentprm.testkit;

import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TargetEstimator;
import io.agentprm.api.target.TurnLabel;
import io.agentprm.api.trajectory.Trajectory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

class TargetEstimatorContractTest extends ContractProof<TargetEstimator> {
    static class Subject extends TargetEstimatorContract {
        @Override
        protected TargetEstimator openEstimator() {
            return subject(TargetEstimator.class);
        }
    }

    @Override
    Class<?> contract() {
        return Subject.class;
    }

    @Override
    TargetEstimator good() {
        return new Returns();
    }

    /** The discounted outcome, to be broken by overriding one method. */
    private static class Returns implements TargetEstimator {
        @Override
        public List<LabelledTrajectory> estimate(List<Trajectory> trajectories) {
            List<LabelledTrajectory> result = new ArrayList<>();
            for (Trajectory trajectory : trajectories) {
                if (labels(trajectory)) {
                    List<Optional<TurnLabel>> labels = new ArrayList<>();
                    for (int t = 0; t < trajectory.length(); t++) {
                        labels.add(label(trajectory, t, trajectories));
                    }
                    result.add(LabelledTrajectory.of(trajectory, labels));
                }
            }
            return result;
        }

        boolean labels(Trajectory trajectory) {
            return trajectory.end() instanceof EpisodeEnd.Terminated;
        }

        Optional<TurnLabel> label(Trajectory trajectory, int turn, List<Trajectory> all) {
            return Optional.of(new TurnLabel(value(trajectory, turn), 1));
        }

        double value(Trajectory trajectory, int turn) {
            return trajectory.outcome().orElse(0) * Math.pow(0.9, trajectory.length() - 1.0 - turn);
        }
    }

    @Override
    Map<String, Supplier<TargetEstimator>> broken() {
        Map<String, Supplier<TargetEstimator>> broken = new HashMap<>();
        broken.put(
                "everyTurnOfATerminatedEpisodeIsLabelled",
                TargetEstimatorContractTest::leavingOutStepLimits);
        broken.put(
                "anAbortedEpisodeIsNeverLabelled", TargetEstimatorContractTest::labellingAborted);
        broken.put(
                "anAbortedEpisodeChangesNoOtherLabel",
                TargetEstimatorContractTest::averagingOverAborted);
        broken.put("aTruncatedEpisodeIsNoFailure", TargetEstimatorContractTest::failingTruncated);
        broken.put("labelsAreInRangeWithTheirVisits", TargetEstimatorContractTest::outOfRange);
        broken.put("theOrderOfEpisodesChangesNoLabel", TargetEstimatorContractTest::firstSeen);
        broken.put("sameEpisodesSameLabels", remembering());
        broken.put("nothingIsLabelledByNothing", TargetEstimatorContractTest::needingOne);
        broken.put(
                "theLastTurnOfASuccessIsWorthMoreThanThatOfAFailure",
                TargetEstimatorContractTest::discountingFromTheWrongSide);
        return broken;
    }

    private static boolean atStepLimit(Trajectory trajectory) {
        return trajectory.end() instanceof EpisodeEnd.Terminated end
                && end.reason() == EpisodeEnd.Reason.STEP_LIMIT;
    }

    private static TargetEstimator leavingOutStepLimits() {
        return new Returns() {
            @Override
            boolean labels(Trajectory trajectory) {
                return super.labels(trajectory) && !atStepLimit(trajectory);
            }
        };
    }

    private static TargetEstimator labellingAborted() {
        return new Returns() {
            @Override
            boolean labels(Trajectory trajectory) {
                return super.labels(trajectory)
                        || trajectory.end() instanceof EpisodeEnd.Aborted
                                && trajectory.length() > 0;
            }
        };
    }

    private static TargetEstimator averagingOverAborted() {
        return new Returns() {
            @Override
            Optional<TurnLabel> label(Trajectory trajectory, int turn, List<Trajectory> all) {
                double labelled = all.stream().filter(this::labels).count();
                return Optional.of(
                        new TurnLabel(value(trajectory, turn) * labelled / all.size(), 1));
            }
        };
    }

    private static TargetEstimator failingTruncated() {
        return new Returns() {
            @Override
            boolean labels(Trajectory trajectory) {
                return !(trajectory.end() instanceof EpisodeEnd.Aborted);
            }
        };
    }

    private static TargetEstimator outOfRange() {
        return new Returns() {
            @Override
            double value(Trajectory trajectory, int turn) {
                return 1.5 * super.value(trajectory, turn);
            }
        };
    }

    /** The first episode's value counts for something in all the others'. */
    private static TargetEstimator firstSeen() {
        return new Returns() {
            @Override
            Optional<TurnLabel> label(Trajectory trajectory, int turn, List<Trajectory> all) {
                double first = all.stream().filter(this::labels).findFirst().get().length();
                return Optional.of(new TurnLabel(value(trajectory, turn) / (10 + first), 1));
            }
        };
    }

    private static Supplier<TargetEstimator> remembering() {
        AtomicInteger made = new AtomicInteger();
        return () -> {
            double factor = 1.0 / made.incrementAndGet();
            return new Returns() {
                @Override
                double value(Trajectory trajectory, int turn) {
                    return factor * super.value(trajectory, turn);
                }
            };
        };
    }

    private static TargetEstimator needingOne() {
        return new Returns() {
            @Override
            public List<LabelledTrajectory> estimate(List<Trajectory> trajectories) {
                Collections.max(trajectories.stream().map(Trajectory::length).toList());
                return super.estimate(trajectories);
            }
        };
    }

    private static TargetEstimator discountingFromTheWrongSide() {
        return new Returns() {
            @Override
            double value(Trajectory trajectory, int turn) {
                return 1 - super.value(trajectory, turn);
            }
        };
    }
}
