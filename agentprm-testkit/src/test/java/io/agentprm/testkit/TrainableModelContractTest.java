package io.agentprm.testkit;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.lm.UpdateReport;
import io.agentprm.api.trajectory.SampledTokens;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;

class TrainableModelContractTest extends ContractProof<TrainableModel> {
    static class Subject extends TrainableModelContract {
        @Override
        protected TrainableModel openModel() {
            return subject(TrainableModel.class);
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
    TrainableModel good() {
        return TinyTable.adamW();
    }

    @Override
    Map<String, Supplier<TrainableModel>> broken() {
        Map<String, Supplier<TrainableModel>> broken = new HashMap<>();
        broken.put(
                "aBranchEqualsARowOfItsOwnWhereverItForks",
                TrainableModelContractTest::mixingUpBranches);
        broken.put(
                "aRowDoesNotDependOnWhatElseIsInTheBatch",
                TrainableModelContractTest::attendingToItsPadding);
        broken.put(
                "laterTokensDoNotChangeEarlierOutputs", TrainableModelContractTest::lookingAhead);
        broken.put("scoresOfContinuationsAreThoseOfRows", TrainableModelContractTest::squashing);
        broken.put(
                "sampledLogProbabilitiesAreThoseOfARow",
                TrainableModelContractTest::reportingOtherLogProbabilities);
        broken.put("samplesOfARequestDiffer", TrainableModelContractTest::repeatingItself);
        broken.put("aRerunRepeatsItsSamples", TrainableModelContractTest::countingItsDraws);
        broken.put(
                "aKeptConversationContinuesLikeAFreshOne",
                TrainableModelContractTest::remainingAtTheOldPrompt);
        broken.put(
                "releasingAnUnknownConversationIsHarmless",
                TrainableModelContractTest::knowingItsConversations);
        broken.put("allWorkIsCounted", TrainableModelContractTest::countingNothing);
        broken.put("accumulationChangesNothing", TrainableModelContractTest::averagingOverParts);
        broken.put("groupsAreNeverCut", TrainableModelContractTest::forgettingGroups);
        broken.put(
                "theGradientNormIsThatBeforeClipping",
                TrainableModelContractTest::measuringAfterClipping);
        broken.put("trainingLowersTheLoss", TrainableModelContractTest::climbing);
        broken.put("trainingLeavesSnapshotsAlone", TrainableModelContractTest::sharingItsWeights);
        broken.put(
                "aStepThatIsNotFiniteChangesNothing",
                TrainableModelContractTest::keepingQuietAboutIt);
        broken.put(
                "aLossThatFailsLeavesNoGradientBehind",
                TrainableModelContractTest::learningFromFailures);
        broken.put("tooManyBadStepsInARowAreAnError", TrainableModelContractTest::patient);
        broken.put(
                "aRestoredCheckpointGoesOnBitEqual",
                TrainableModelContractTest::forgettingItsCheckpoint);
        return broken;
    }

    /** A change of outputs of a row's segment. */
    private interface Change {
        void apply(TokenSegment segment, ModelOutputs outputs, int row, int number);
    }

    private static TrainableModel changing(Change change) {
        return new WrappedTrainable(TinyTable.adamW()) {
            @Override
            public ModelOutputs evaluate(List<TokenTree> rows, Set<Channel> channels) {
                ModelOutputs outputs = super.evaluate(rows, channels);
                for (int row = 0; row < rows.size(); row++) {
                    for (int s = 0; s < rows.get(row).segments().size(); s++) {
                        change.apply(rows.get(row).segment(s), outputs, row, s);
                    }
                }
                return outputs;
            }
        };
    }

    private static void shift(ModelOutputs outputs, int row, int segment, double by) {
        double[] scores = outputs.at(Channel.SCORE, row, segment);
        for (int i = 0; i < scores.length; i++) {
            scores[i] += by;
        }
    }

    private static TrainableModel mixingUpBranches() {
        return changing((segment, outputs, row, number) -> shift(outputs, row, number, number));
    }

    private static TrainableModel attendingToItsPadding() {
        return changing((segment, outputs, row, number) -> shift(outputs, row, number, row));
    }

    private static TrainableModel lookingAhead() {
        return changing(
                (segment, outputs, row, number) -> {
                    int last = segment.length() - 1;
                    if (segment.markCount() > 0 && segment.mark(0) < last) {
                        shift(outputs, row, number, segment.token(last));
                    }
                });
    }

    private static TrainableModel squashing() {
        return new WrappedTrainable(TinyTable.adamW()) {
            @Override
            public List<double[]> score(List<ContinuationRequest> requests) {
                return super.score(requests).stream()
                        .map(scores -> Arrays.stream(scores).map(s -> 1 / (1 + Math.exp(-s))))
                        .map(scores -> scores.toArray())
                        .toList();
            }
        };
    }

    private static TrainableModel reportingOtherLogProbabilities() {
        return new WrappedTrainable(TinyTable.adamW()) {
            @Override
            public List<List<Generation>> generate(List<GenerationRequest> requests) {
                return super.generate(requests).stream()
                        .map(samples -> samples.stream().map(sample -> certain(sample)).toList())
                        .toList();
            }

            private Generation certain(Generation sample) {
                SampledTokens tokens = sample.tokens();
                return new Generation(
                        SampledTokens.of(
                                tokens.ids(), new double[tokens.length()], tokens.temperature()),
                        sample.stopped());
            }
        };
    }

    private static TrainableModel repeatingItself() {
        return new WrappedTrainable(TinyTable.adamW()) {
            @Override
            public List<List<Generation>> generate(List<GenerationRequest> requests) {
                return super.generate(requests).stream()
                        .map(samples -> Collections.nCopies(samples.size(), samples.get(0)))
                        .toList();
            }
        };
    }

    private static TrainableModel countingItsDraws() {
        return new WrappedTrainable(TinyTable.adamW()) {
            private int draws;

            @Override
            GenerationRequest change(GenerationRequest request, int place) {
                return request.samples() < 16
                        ? request
                        : GenerationRequest.of(
                                request.prompt(),
                                request.samples(),
                                request.sampling(),
                                request.random().derive(draws++));
            }
        };
    }

    private static TrainableModel remainingAtTheOldPrompt() {
        return new WrappedTrainable(TinyTable.adamW()) {
            private final Map<String, int[]> prompts = new HashMap<>();

            @Override
            GenerationRequest change(GenerationRequest request, int place) {
                int[] kept =
                        prompts.computeIfAbsent(
                                request.conversation().orElseThrow(), name -> request.prompt());
                return GenerationRequest.of(
                        kept, request.samples(), request.sampling(), request.random());
            }

            @Override
            public void release(String conversation) {
                prompts.remove(conversation);
            }
        };
    }

    private static TrainableModel knowingItsConversations() {
        return new WrappedTrainable(TinyTable.adamW()) {
            private final Set<String> known = new HashSet<>();

            @Override
            GenerationRequest change(GenerationRequest request, int place) {
                request.conversation().ifPresent(known::add);
                return request;
            }

            @Override
            public List<double[]> score(List<ContinuationRequest> requests) {
                requests.forEach(request -> request.conversation().ifPresent(known::add));
                return super.score(requests);
            }

            @Override
            public void release(String conversation) {
                if (!known.remove(conversation)) {
                    throw new TestkitException("no conversation " + conversation);
                }
            }
        };
    }

    private static TrainableModel countingNothing() {
        return new WrappedTrainable(TinyTable.adamW()) {
            @Override
            public long tokensComputed() {
                return 0;
            }
        };
    }

    /** A loss with a change of how it sees its rows. */
    private abstract static class WrappedLoss implements LossFunction {
        private final LossFunction inner;

        WrappedLoss(LossFunction inner) {
            this.inner = inner;
        }

        @Override
        public Set<Channel> channels() {
            return inner.channels();
        }

        @Override
        public double normalizer(List<TrainingRow> batch) {
            return inner.normalizer(batch);
        }

        @Override
        public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
            return inner.evaluate(rows, outputs, normalizer);
        }
    }

    private static TrainableModel averagingOverParts() {
        return new WrappedTrainable(TinyTable.adamW()) {
            @Override
            public UpdateReport step(
                    List<TrainingRow> batch, LossFunction loss, UpdateOptions options) {
                LossFunction averaging =
                        new WrappedLoss(loss) {
                            @Override
                            public Value evaluate(
                                    List<TrainingRow> rows,
                                    ModelOutputs outputs,
                                    double normalizer) {
                                return super.evaluate(rows, outputs, normalizer(rows));
                            }
                        };
                return super.step(batch, averaging, options);
            }
        };
    }

    private static TrainableModel forgettingGroups() {
        return new WrappedTrainable(TinyTable.adamW()) {
            @Override
            public UpdateReport step(
                    List<TrainingRow> batch, LossFunction loss, UpdateOptions options) {
                return super.step(
                        batch.stream().map(row -> TrainingRow.of(row.tree())).toList(),
                        loss,
                        options);
            }
        };
    }

    /** A model whose report of a step is another one. */
    private static TrainableModel reporting(
            BiFunction<UpdateReport, UpdateOptions, UpdateReport> change) {
        return new WrappedTrainable(TinyTable.adamW()) {
            @Override
            public UpdateReport step(
                    List<TrainingRow> batch, LossFunction loss, UpdateOptions options) {
                return change.apply(super.step(batch, loss, options), options);
            }
        };
    }

    private static TrainableModel measuringAfterClipping() {
        return reporting(
                (report, options) ->
                        new UpdateReport(
                                report.loss(),
                                Math.min(report.gradientNorm(), options.maxGradientNorm()),
                                report.applied(),
                                report.metrics()));
    }

    private static TrainableModel climbing() {
        return new WrappedTrainable(TinyTable.adamW()) {
            @Override
            public UpdateReport step(
                    List<TrainingRow> batch, LossFunction loss, UpdateOptions options) {
                return super.step(
                        batch,
                        loss,
                        new UpdateOptions(
                                -options.learningRate(),
                                options.maxGradientNorm(),
                                options.microBatchTokens()));
            }
        };
    }

    private static TrainableModel sharingItsWeights() {
        return new WrappedTrainable(TinyTable.adamW()) {
            @Override
            public LanguageModel snapshot() {
                return new WrappedModel(inner) {
                    @Override
                    public void close() {}
                };
            }
        };
    }

    private static TrainableModel keepingQuietAboutIt() {
        return reporting(
                (report, options) ->
                        new UpdateReport(
                                report.loss(), report.gradientNorm(), true, report.metrics()));
    }

    /** Tries again what has failed. */
    private static TrainableModel learningFromFailures() {
        return new WrappedTrainable(TinyTable.adamW()) {
            @Override
            public UpdateReport step(
                    List<TrainingRow> batch, LossFunction loss, UpdateOptions options) {
                try {
                    return super.step(batch, loss, options);
                } catch (TestkitException e) {
                    if (e.getMessage().contains("on purpose")) {
                        super.step(batch, loss, options);
                    }
                    throw e;
                }
            }
        };
    }

    private static TrainableModel patient() {
        return new WrappedTrainable(TinyTable.adamW()) {
            @Override
            public UpdateReport step(
                    List<TrainingRow> batch, LossFunction loss, UpdateOptions options) {
                try {
                    return super.step(batch, loss, options);
                } catch (TestkitException e) {
                    if (e.getMessage().contains("on purpose")) {
                        throw e;
                    }
                    return new UpdateReport(Double.NaN, Double.NaN, false, Map.of());
                }
            }
        };
    }

    private static TrainableModel forgettingItsCheckpoint() {
        return new WrappedTrainable(TinyTable.adamW()) {
            @Override
            public void restoreCheckpoint(Path directory) {}
        };
    }
}
