package io.agentprm.testkit;

import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

class RewardModelContractTest extends ContractProof<RewardModel> {
    static class Subject extends RewardModelContract {
        @Override
        protected RewardModel openRewardModel() {
            return subject(RewardModel.class);
        }
    }

    @Override
    Class<?> contract() {
        return Subject.class;
    }

    @Override
    RewardModel good() {
        return new Scores();
    }

    /** A probability from the length of texts, to be broken by overriding one method. */
    private static class Scores implements RewardModel {
        @Override
        public String id() {
            return "scores";
        }

        @Override
        public ScoreScale scale() {
            return ScoreScale.PROBABILITY;
        }

        @Override
        public List<double[]> score(List<ScoringRequest> requests) {
            List<double[]> result = new ArrayList<>();
            for (ScoringRequest request : requests) {
                result.add(
                        request.decisions().stream()
                                .mapToDouble(decision -> score(request.state(), decision))
                                .toArray());
            }
            return result;
        }

        double score(State state, Decision decision) {
            return 1.0 / (1 + decision.text().length() + state.observation().text().length());
        }
    }

    @Override
    Map<String, Supplier<RewardModel>> broken() {
        Map<String, Supplier<RewardModel>> broken = new HashMap<>();
        broken.put("itsIdAndScaleAreStable", RewardModelContractTest::withoutId);
        broken.put("itGivesOneScorePerDecision", RewardModelContractTest::givingOneMore);
        broken.put("anEmptyBatchIsAnsweredByNothing", RewardModelContractTest::needingARequest);
        broken.put("scoresAreFinite", RewardModelContractTest::notANumber);
        broken.put("scoresKeepTheDeclaredScale", RewardModelContractTest::aboveOne);
        broken.put("sameQuestionSameScore", RewardModelContractTest::tiring);
        broken.put(
                "whatElseIsInTheBatchChangesNothing",
                RewardModelContractTest::normalisingOverTheBatch);
        broken.put(
                "theOtherDecisionsChangeNothing",
                RewardModelContractTest::normalisingOverTheRequest);
        broken.put("oddTextsAreAnsweredOrRefused", RewardModelContractTest::limitedInLength);
        broken.put("releasingAnEpisodeChangesNoScore", RewardModelContractTest::knowingEpisodes);
        broken.put("whatIsReturnedIsTheCallers", RewardModelContractTest::givingItsCache);
        broken.put("closingTwiceIsHarmless", RewardModelContractTest::closingOnce);
        return broken;
    }

    private static RewardModel withoutId() {
        return new Scores() {
            @Override
            public String id() {
                return "";
            }
        };
    }

    private static RewardModel givingOneMore() {
        return new Scores() {
            @Override
            public List<double[]> score(List<ScoringRequest> requests) {
                return super.score(requests).stream()
                        .map(s -> s.length != 2 ? s : Arrays.copyOf(s, s.length + 1))
                        .toList();
            }
        };
    }

    private static RewardModel needingARequest() {
        return new Scores() {
            @Override
            public List<double[]> score(List<ScoringRequest> requests) {
                requests.get(0);
                return super.score(requests);
            }
        };
    }

    private static RewardModel notANumber() {
        return new Scores() {
            @Override
            double score(State state, Decision decision) {
                return decision.text().equals("open") ? Double.NaN : super.score(state, decision);
            }
        };
    }

    private static RewardModel aboveOne() {
        return new Scores() {
            @Override
            double score(State state, Decision decision) {
                return decision.text().equals("open") ? 1.2 : super.score(state, decision);
            }
        };
    }

    private static RewardModel tiring() {
        return new Scores() {
            private int asked;

            @Override
            double score(State state, Decision decision) {
                return super.score(state, decision) / (1 + asked++);
            }
        };
    }

    private static RewardModel normalisingOverTheBatch() {
        return new Scores() {
            @Override
            public List<double[]> score(List<ScoringRequest> requests) {
                return super.score(requests).stream()
                        .map(s -> Arrays.stream(s).map(x -> x / requests.size()).toArray())
                        .toList();
            }
        };
    }

    private static RewardModel normalisingOverTheRequest() {
        return new Scores() {
            @Override
            public List<double[]> score(List<ScoringRequest> requests) {
                return super.score(requests).stream()
                        .map(s -> Arrays.stream(s).map(x -> x / s.length).toArray())
                        .toList();
            }
        };
    }

    private static RewardModel limitedInLength() {
        return new Scores() {
            @Override
            double score(State state, Decision decision) {
                if (decision.text().length() > 1000) {
                    throw new IndexOutOfBoundsException("1000 characters at most");
                }
                return super.score(state, decision);
            }
        };
    }

    private static RewardModel knowingEpisodes() {
        return new Scores() {
            @Override
            public void release(EpisodeId episode) {
                if (episode.task().contains("never")) {
                    throw new IllegalArgumentException("no episode " + episode);
                }
            }
        };
    }

    private static RewardModel givingItsCache() {
        return new Scores() {
            private final Map<String, double[]> cache = new HashMap<>();

            @Override
            public List<double[]> score(List<ScoringRequest> requests) {
                List<double[]> fresh = super.score(requests);
                List<double[]> result = new ArrayList<>();
                for (int i = 0; i < fresh.size(); i++) {
                    double[] answer = fresh.get(i);
                    result.add(
                            cache.computeIfAbsent(
                                    requests.get(i).episode() + "" + requests.get(i).decisions(),
                                    key -> answer));
                }
                return result;
            }
        };
    }

    private static RewardModel closingOnce() {
        return new Scores() {
            private boolean closed;

            @Override
            public void close() {
                if (closed) {
                    throw new IllegalStateException("closed already");
                }
                closed = true;
            }
        };
    }
}
