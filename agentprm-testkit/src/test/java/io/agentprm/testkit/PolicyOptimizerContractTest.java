package io.agentprm.testkit;

import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.OptimizationRequest;
import io.agentprm.api.optim.PolicyOptimizer;
import io.agentprm.api.run.Checkpoints;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Trajectory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

class PolicyOptimizerContractTest extends ContractProof<PolicyOptimizer> {
    static class Subject extends PolicyOptimizerContract {
        @Override
        protected PolicyOptimizer optimizer(RunContext context) {
            return subject(PolicyOptimizer.class);
        }
    }

    @Override
    Class<?> contract() {
        return Subject.class;
    }

    @Override
    PolicyOptimizer good() {
        return new Imitation();
    }

    @Override
    Map<String, Supplier<PolicyOptimizer>> broken() {
        Map<String, Supplier<PolicyOptimizer>> broken = new HashMap<>();
        broken.put("thePolicyIsNoWorseAfterwards", PolicyOptimizerContractTest::upsideDown);
        broken.put("sameInputsGiveTheSamePolicy", countingItsRuns());
        broken.put("itStopsWhenAsked", PolicyOptimizerContractTest::deaf);
        broken.put(
                "aStoppedOptimisationGoesOnToTheSamePolicy",
                PolicyOptimizerContractTest::forgettingItsWeights);
        broken.put(
                "theReferenceIsThePolicyAsGiven",
                PolicyOptimizerContractTest::takingTheReferenceLate);
        broken.put("snapshotsAreClosedAndThePolicyIsNot", PolicyOptimizerContractTest::leaking);
        broken.put("figuresAreFinite", PolicyOptimizerContractTest::withoutFigures);
        broken.put("nothingToLearnFromIsAnError", PolicyOptimizerContractTest::content);
        broken.put("aMissingRewardModelIsNoSurprise", PolicyOptimizerContractTest::surprised);
        return broken;
    }

    private static PolicyOptimizer upsideDown() {
        return new Imitation() {
            @Override
            double sign() {
                return -1;
            }
        };
    }

    private static Supplier<PolicyOptimizer> countingItsRuns() {
        AtomicInteger runs = new AtomicInteger();
        return () ->
                new Imitation() {
                    @Override
                    double figure() {
                        return runs.getAndIncrement();
                    }
                };
    }

    private static PolicyOptimizer deaf() {
        return new Imitation() {
            @Override
            boolean stops() {
                return false;
            }
        };
    }

    private static PolicyOptimizer forgettingItsWeights() {
        return new Imitation() {
            @Override
            void restore(TrainableModel model, Checkpoints.Checkpoint checkpoint) {}
        };
    }

    private static PolicyOptimizer takingTheReferenceLate() {
        return new Imitation() {
            @Override
            public OptimizationReport optimize(OptimizationRequest request) {
                List<Trajectory> successes =
                        request.trajectories().stream().filter(Trajectory::success).toList();
                if (successes.isEmpty()) {
                    return withoutData();
                }
                TrainableModel model = request.policy().model();
                OptimizationReport report = optimize(request, model, successes);
                model.snapshot().close();
                return report;
            }
        };
    }

    private static PolicyOptimizer leaking() {
        return new Imitation() {
            @Override
            void end(LanguageModel reference, TrainableModel model) {}
        };
    }

    private static PolicyOptimizer withoutFigures() {
        return new Imitation() {
            @Override
            double figure() {
                return Double.NaN;
            }
        };
    }

    private static PolicyOptimizer content() {
        return new Imitation() {
            @Override
            OptimizationReport withoutData() {
                return new OptimizationReport(1, Map.of());
            }
        };
    }

    private static PolicyOptimizer surprised() {
        return new Imitation() {
            @Override
            public OptimizationReport optimize(OptimizationRequest request) {
                boolean named = !request.rewardModel().orElseThrow().id().isEmpty();
                return named ? super.optimize(request) : withoutData();
            }
        };
    }
}
