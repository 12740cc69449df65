package io.agentprm.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.optim.LearningRequest;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.run.Checkpoints;
import io.agentprm.api.run.Progress;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.TurnLabel;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RewardLearnerContractTest extends ContractProof<RewardLearner> {
    static class Subject extends RewardLearnerContract {
        @Override
        protected RewardLearner learner(RunContext context) {
            return subject(RewardLearner.class);
        }
    }

    @Override
    Class<?> contract() {
        return Subject.class;
    }

    @Override
    RewardLearner good() {
        return new Regression();
    }

    @Test
    void aGoodLearnerFromDemonstrationsKeepsAllRules() {
        assertEquals(Map.of(), failures(Discrimination::new));
    }

    @Override
    Map<String, Supplier<RewardLearner>> broken() {
        Map<String, Supplier<RewardLearner>> broken = new HashMap<>();
        broken.put("itTellsGoodDecisionsFromBadOnes", RewardLearnerContractTest::upsideDown);
        broken.put("sameInputsGiveTheSameModel", countingItsRuns());
        broken.put("itStopsWhenAsked", RewardLearnerContractTest::deaf);
        broken.put(
                "stoppedLearningGoesOnToTheSameModel",
                RewardLearnerContractTest::forgettingItsWeights);
        broken.put("scoresAreFinite", RewardLearnerContractTest::overshooting);
        broken.put("scoresKeepTheDeclaredScale", RewardLearnerContractTest::promisingProbabilities);
        broken.put("supervisionAndScaleAreStable", RewardLearnerContractTest::fickle);
        broken.put("labelsDecide", RewardLearnerContractTest::prejudiced);
        broken.put("turnsWithoutALabelAreLeftOut", RewardLearnerContractTest::takingNothingForZero);
        broken.put("outcomesAreNotLookedAt", RewardLearnerContractTest::peeking);
        broken.put("abortedEpisodesAreLeftOut", RewardLearnerContractTest::takingEverything);
        broken.put("nothingToLearnFromIsAnError", RewardLearnerContractTest::content);
        broken.put("itClosesWhatItOpensAndNothingElse", RewardLearnerContractTest::leaking);
        broken.put("figuresAreFinite", RewardLearnerContractTest::withoutFigures);
        broken.put("barsAreClosedAndNotOverrun", RewardLearnerContractTest::leavingItsBarOpen);
        broken.put("aPlanIsWordsOrNothing", RewardLearnerContractTest::withoutWords);
        return broken;
    }

    private static RewardLearner upsideDown() {
        return new Regression() {
            @Override
            OptionalDouble target(Turn turn, Optional<TurnLabel> label) {
                return label.isPresent()
                        ? OptionalDouble.of(1 - label.get().value())
                        : OptionalDouble.empty();
            }
        };
    }

    private static Supplier<RewardLearner> countingItsRuns() {
        AtomicInteger runs = new AtomicInteger();
        return () ->
                new Regression() {
                    @Override
                    double figure() {
                        return runs.getAndIncrement();
                    }
                };
    }

    private static RewardLearner deaf() {
        return new Regression() {
            @Override
            boolean stops() {
                return false;
            }
        };
    }

    private static RewardLearner forgettingItsWeights() {
        return new Regression() {
            @Override
            void restore(TrainableModel model, Checkpoints.Checkpoint checkpoint) {}
        };
    }

    private static RewardLearner overshooting() {
        return new Regression() {
            @Override
            double rate(long step) {
                return step == STEPS - 1 ? Double.POSITIVE_INFINITY : super.rate(step);
            }
        };
    }

    private static RewardLearner promisingProbabilities() {
        return new Regression() {
            @Override
            public ScoreScale scale() {
                return ScoreScale.PROBABILITY;
            }
        };
    }

    private static RewardLearner fickle() {
        return new Regression() {
            private boolean learned;

            @Override
            public OptimizationReport learn(LearningRequest request) {
                learned = true;
                return super.learn(request);
            }

            @Override
            public ScoreScale scale() {
                return learned ? ScoreScale.UNBOUNDED : ScoreScale.LOGIT;
            }
        };
    }

    /** Knows beforehand what is good. */
    private static RewardLearner prejudiced() {
        return new Regression() {
            @Override
            OptionalDouble target(Turn turn, Optional<TurnLabel> label) {
                String best = turn.observation().text().equals("kitchen") ? "open" : "left";
                return label.isPresent()
                        ? OptionalDouble.of(turn.decision().action().text().equals(best) ? 1 : 0)
                        : OptionalDouble.empty();
            }
        };
    }

    private static RewardLearner takingNothingForZero() {
        return new Regression() {
            @Override
            OptionalDouble target(Turn turn, Optional<TurnLabel> label) {
                return OptionalDouble.of(label.map(TurnLabel::value).orElse(0.0));
            }
        };
    }

    private static RewardLearner peeking() {
        return new Discrimination() {
            @Override
            double rollout(Trajectory trajectory) {
                return trajectory.success() ? 1 : 0;
            }
        };
    }

    private static RewardLearner takingEverything() {
        return new Discrimination() {
            @Override
            boolean usable(Trajectory trajectory) {
                return true;
            }
        };
    }

    private static RewardLearner content() {
        return new Regression() {
            @Override
            OptimizationReport withoutData() {
                return new OptimizationReport(1, Map.of());
            }
        };
    }

    private static RewardLearner leaking() {
        return new Regression() {
            @Override
            public OptimizationReport learn(LearningRequest request) {
                boolean large = request.model().snapshot().info().parameters() > 1L << 40;
                return large ? withoutData() : super.learn(request);
            }
        };
    }

    private static RewardLearner withoutFigures() {
        return new Regression() {
            @Override
            double figure() {
                return Double.NaN;
            }
        };
    }

    private static RewardLearner leavingItsBarOpen() {
        return new Regression() {
            @Override
            void end(Progress bar) {}
        };
    }

    private static RewardLearner withoutWords() {
        return new Regression() {
            @Override
            public Optional<String> plan(int trajectories) {
                return Optional.of(" ");
            }
        };
    }
}
