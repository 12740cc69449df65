package io.agentprm.testkit;

import io.agentprm.api.env.Action;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

class PolicyContractTest extends ContractProof<Policy> {
    static class Subject extends PolicyContract {
        @Override
        protected Policy openPolicy() {
            return subject(Policy.class);
        }
    }

    @Override
    Class<?> contract() {
        return Subject.class;
    }

    @Override
    Policy good() {
        return new RandomPolicy();
    }

    /** Any of three actions, to be broken by overriding one method. */
    private static class RandomPolicy implements Policy {
        @Override
        public String id() {
            return "random";
        }

        @Override
        public List<List<Decision>> decide(List<DecisionRequest> requests) {
            List<List<Decision>> result = new ArrayList<>();
            for (int place = 0; place < requests.size(); place++) {
                List<Decision> decisions = new ArrayList<>();
                for (int i = 0; i < number(requests.get(place)); i++) {
                    decisions.add(
                            decision(draw(requests.get(place), place, i), requests.get(place)));
                }
                result.add(decisions);
            }
            return result;
        }

        int number(DecisionRequest request) {
            return request.samples();
        }

        RandomSource draw(DecisionRequest request, int place, int sample) {
            return request.random().derive(sample);
        }

        Decision decision(RandomSource random, DecisionRequest request) {
            return Decision.of(List.of("left", "right", "open").get(random.generator().nextInt(3)));
        }
    }

    @Override
    Map<String, Supplier<Policy>> broken() {
        Map<String, Supplier<Policy>> broken = new HashMap<>();
        broken.put("itsIdIsStable", PolicyContractTest::changingItsId);
        broken.put("itGivesAsManyDecisionsAsAskedFor", PolicyContractTest::givingOneForTwo);
        broken.put("anEmptyBatchIsAnsweredByNothing", PolicyContractTest::needingARequest);
        broken.put("sameRequestSameDecisions", PolicyContractTest::drawingOnAndOn);
        broken.put("whatElseIsInTheBatchChangesNothing", PolicyContractTest::drawingByPlace);
        broken.put("aSampleDependsOnItsNumberOnly", PolicyContractTest::drawingByNumberOfSamples);
        broken.put("theSamplesOfARequestAreDrawnApart", PolicyContractTest::drawingOnce);
        broken.put("aReplyWithoutAnActionSaysSo", PolicyContractTest::silent);
        broken.put("oddTextsAreAnsweredOrRefused", PolicyContractTest::indexingWords);
        broken.put("releasingAnEpisodeChangesNoDecision", PolicyContractTest::knowingItsEpisodes);
        broken.put("whatIsReturnedIsTheCallers", PolicyContractTest::givingItsCache);
        broken.put("closingTwiceIsHarmless", PolicyContractTest::closingOnce);
        return broken;
    }

    private static Policy changingItsId() {
        return new RandomPolicy() {
            private int asked;

            @Override
            public String id() {
                return "policy-" + asked++;
            }
        };
    }

    private static Policy givingOneForTwo() {
        return new RandomPolicy() {
            @Override
            int number(DecisionRequest request) {
                return request.samples() == 2 ? 1 : request.samples();
            }
        };
    }

    private static Policy needingARequest() {
        return new RandomPolicy() {
            @Override
            public List<List<Decision>> decide(List<DecisionRequest> requests) {
                requests.get(0);
                return super.decide(requests);
            }
        };
    }

    private static Policy drawingOnAndOn() {
        return new RandomPolicy() {
            private long draws;

            @Override
            RandomSource draw(DecisionRequest request, int place, int sample) {
                return RandomSource.of(draws++);
            }
        };
    }

    private static Policy drawingByPlace() {
        return new RandomPolicy() {
            @Override
            RandomSource draw(DecisionRequest request, int place, int sample) {
                return super.draw(request, place, sample).derive(place);
            }
        };
    }

    private static Policy drawingByNumberOfSamples() {
        return new RandomPolicy() {
            @Override
            RandomSource draw(DecisionRequest request, int place, int sample) {
                return super.draw(request, place, sample).derive(request.samples());
            }
        };
    }

    private static Policy drawingOnce() {
        return new RandomPolicy() {
            @Override
            RandomSource draw(DecisionRequest request, int place, int sample) {
                return request.random();
            }
        };
    }

    private static Policy silent() {
        return new RandomPolicy() {
            @Override
            Decision decision(RandomSource random, DecisionRequest request) {
                Decision decision = super.decision(random, request);
                return decision.action().text().equals("open")
                        ? Decision.builder(Action.text("")).text("hmm").build()
                        : decision;
            }
        };
    }

    private static Policy indexingWords() {
        return new RandomPolicy() {
            @Override
            Decision decision(RandomSource random, DecisionRequest request) {
                if (Arrays.asList(request.state().observation().text().split("\\s+"))
                        .contains("")) {
                    throw new ArrayIndexOutOfBoundsException(0);
                }
                return super.decision(random, request);
            }
        };
    }

    private static Policy knowingItsEpisodes() {
        return new RandomPolicy() {
            @Override
            public void release(EpisodeId episode) {
                if (episode.task().contains("never")) {
                    throw new IllegalArgumentException("no episode " + episode);
                }
            }
        };
    }

    private static Policy givingItsCache() {
        return new RandomPolicy() {
            private final Map<String, List<Decision>> cache = new HashMap<>();

            @Override
            public List<List<Decision>> decide(List<DecisionRequest> requests) {
                List<List<Decision>> fresh = super.decide(requests);
                List<List<Decision>> result = new ArrayList<>();
                for (int i = 0; i < fresh.size(); i++) {
                    DecisionRequest request = requests.get(i);
                    List<Decision> answer = fresh.get(i);
                    result.add(
                            cache.computeIfAbsent(
                                    request.random().seed() + "/" + request.samples(),
                                    key -> answer));
                }
                return result;
            }
        };
    }

    private static Policy closingOnce() {
        return new RandomPolicy() {
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
