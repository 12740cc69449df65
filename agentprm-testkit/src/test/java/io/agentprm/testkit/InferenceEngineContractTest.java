package io.agentprm.testkit;

import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RunContext;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.io.TempDir;

class InferenceEngineContractTest extends ContractProof<InferenceEngine> {
    static class Subject extends InferenceEngineContract {
        @TempDir Path models;

        @Override
        protected InferenceEngine openEngine() {
            return subject(InferenceEngine.class);
        }

        @Override
        protected Path modelDirectory() {
            Path directory = models.resolve("tiny");
            if (!Files.exists(directory)) {
                TinyTable.sgd().save(directory);
            }
            return directory;
        }

        @Override
        protected double tolerance() {
            return 1e-12;
        }
    }

    @Override
    Class<?> contract() {
        return Subject.class;
    }

    @Override
    InferenceEngine good() {
        return new Engine();
    }

    /** The tabular engine, to be broken by overriding one method. */
    private static class Engine implements InferenceEngine {
        final InferenceEngine inner =
                new TabularEngineProvider()
                        .create(new TabularEngineProvider.Config(), RunContext.ofSeed(1));

        @Override
        public String device() {
            return inner.device();
        }

        @Override
        public LanguageModel load(Path directory) {
            return inner.load(directory);
        }

        @Override
        public TrainableModel loadTrainable(Path directory, OptimizerOptions options) {
            return inner.loadTrainable(directory, options);
        }

        @Override
        public boolean trains() {
            return true;
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    /** An engine whose models go through a function. */
    private static Supplier<InferenceEngine> models(Function<LanguageModel, LanguageModel> wrap) {
        return () ->
                new Engine() {
                    @Override
                    public LanguageModel load(Path directory) {
                        return wrap.apply(super.load(directory));
                    }
                };
    }

    private interface Change {
        GenerationRequest apply(GenerationRequest request, int place);
    }

    private static LanguageModel changing(LanguageModel model, Change change) {
        return new WrappedModel(model) {
            @Override
            GenerationRequest change(GenerationRequest request, int place) {
                return change.apply(request, place);
            }
        };
    }

    private static GenerationRequest salted(GenerationRequest request, int salt) {
        return GenerationRequest.of(
                request.prompt(),
                request.samples(),
                request.sampling(),
                request.random().derive(salt));
    }

    @Override
    Map<String, Supplier<InferenceEngine>> broken() {
        Map<String, Supplier<InferenceEngine>> broken = new HashMap<>();
        broken.put(
                "aModelRunsOnTheDeviceThatTheEngineNames", InferenceEngineContractTest::pretending);
        broken.put(
                "aMissingModelIsAnErrorThatNamesItsPlace",
                InferenceEngineContractTest::failingWithoutWords);
        broken.put("twoLoadsAreTheSameModel", InferenceEngineContractTest::countingItsLoads);
        broken.put("closingOneModelLeavesTheOthers", InferenceEngineContractTest::sharing);
        broken.put("anEmptyBatchIsAnsweredByNothing", models(ofOneAtLeast()));
        broken.put(
                "whatElseIsInTheBatchChangesNoSample",
                models(model -> changing(model, InferenceEngineContractTest::salted)));
        broken.put(
                "aContinuationKeepsItsLimit",
                models(model -> changing(model, InferenceEngineContractTest::longer)));
        broken.put("trainingIsRefusedUnlessDeclared", InferenceEngineContractTest::secretive);
        broken.put(
                "aSavedModelLoadsWithTheSameNumbers",
                InferenceEngineContractTest::savingSomethingElse);
        broken.put(
                "aClosedModelRefuses",
                models(
                        model ->
                                new WrappedModel(model) {
                                    @Override
                                    public void close() {}
                                }));
        broken.put("closingTwiceIsHarmless", InferenceEngineContractTest::closingOnce);
        return broken;
    }

    private static InferenceEngine pretending() {
        return new Engine() {
            @Override
            public String device() {
                return "cuda:0";
            }
        };
    }

    private static InferenceEngine failingWithoutWords() {
        return new Engine() {
            @Override
            public LanguageModel load(Path directory) {
                if (!Files.exists(directory)) {
                    throw new TestkitException("not found");
                }
                return super.load(directory);
            }
        };
    }

    private static InferenceEngine countingItsLoads() {
        return new Engine() {
            private int loads;

            @Override
            public LanguageModel load(Path directory) {
                int number = loads++;
                return changing(super.load(directory), (request, place) -> salted(request, number));
            }
        };
    }

    private static InferenceEngine sharing() {
        return new Engine() {
            private final Map<Path, LanguageModel> loaded = new HashMap<>();

            @Override
            public LanguageModel load(Path directory) {
                return loaded.computeIfAbsent(directory, super::load);
            }
        };
    }

    private static Function<LanguageModel, LanguageModel> ofOneAtLeast() {
        return model ->
                new WrappedModel(model) {
                    @Override
                    public List<List<Generation>> generate(List<GenerationRequest> requests) {
                        requests.get(0);
                        return super.generate(requests);
                    }
                };
    }

    private static GenerationRequest longer(GenerationRequest request, int place) {
        return GenerationRequest.of(
                request.prompt(),
                request.samples(),
                Sampling.temperature(1, request.sampling().maxNewTokens() + 1),
                request.random());
    }

    private static InferenceEngine secretive() {
        return new Engine() {
            @Override
            public boolean trains() {
                return false;
            }
        };
    }

    private static InferenceEngine savingSomethingElse() {
        return new Engine() {
            @Override
            public TrainableModel loadTrainable(Path directory, OptimizerOptions options) {
                TrainableModel model = super.loadTrainable(directory, options);
                return (TrainableModel)
                        Proxy.newProxyInstance(
                                TrainableModel.class.getClassLoader(),
                                new Class<?>[] {TrainableModel.class},
                                (proxy, method, arguments) -> {
                                    if (method.getName().equals("save")) {
                                        TabularModel.sgd((WordTokenizer) model.tokenizer())
                                                .save((Path) arguments[0]);
                                        return null;
                                    }
                                    return method.invoke(model, arguments);
                                });
            }
        };
    }

    private static InferenceEngine closingOnce() {
        return new Engine() {
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
