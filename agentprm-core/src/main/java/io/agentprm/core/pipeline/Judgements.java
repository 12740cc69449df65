package io.agentprm.core.pipeline;

import io.agentprm.api.run.RandomSource;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.eval.EvaluationReport;
import io.agentprm.core.eval.EvaluationSetup;
import io.agentprm.core.eval.Measure;
import io.agentprm.core.eval.PairedBootstrap;
import io.agentprm.core.report.Comparison;
import io.agentprm.core.run.RunInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What a run's evaluations say, each by itself and against each other. */
record Judgements(RunResults results, RunInfo info) {
    EvaluationReport evaluation(Pipeline.Judged judged) {
        Agent agent = judged.agent();
        return EvaluationReport.of(
                EvaluationSetup.of(
                        agent.title(),
                        decoding(agent),
                        candidates(agent).orElse(1),
                        results.environment(),
                        results.config().evaluation().split(),
                        info.seed(),
                        info.versions()),
                judged.episodes(),
                graded(),
                0);
    }

    /** Whether outcomes lie between 0 and 1: one such agent gives all of them a score. */
    private boolean graded() {
        return results.judged().stream().anyMatch(judged -> Measure.graded(judged.episodes()));
    }

    static String decoding(Agent agent) {
        return agent.chooser()
                .map(ComponentConfig::inWords)
                .orElse("temperature " + agent.temperature());
    }

    /** The number of candidates per turn, by the customary key. */
    static OptionalInt candidates(Agent agent) {
        if (agent.chooser().isPresent()
                && agent.chooser().get().settings() instanceof ConfigNode.Entries settings
                && settings.values().containsKey("n")
                && settings.values().get("n").value() instanceof ConfigNode.Scalar number
                && number.kind() == ConfigNode.Scalar.Kind.NUMBER) {
            return OptionalInt.of(Integer.parseInt(number.text()));
        }
        return OptionalInt.empty();
    }

    /** Everyone against the first policy, and ways of choosing against their own policy. */
    List<Comparison> comparisons() {
        List<Comparison> comparisons = new ArrayList<>();
        Pipeline.Judged base = results.judged().get(0);
        Pipeline.Judged last = base;
        for (Pipeline.Judged judged : results.judged()) {
            if (judged.scaling() || judged == base) {
                continue;
            }
            comparisons.add(compare(judged, base));
            if (judged.agent().chooser().isEmpty()) {
                last = judged;
            } else if (last != base && judged.agent().policyId().equals(last.agent().policyId())) {
                comparisons.add(compare(judged, last));
            }
        }
        return comparisons;
    }

    private Comparison compare(Pipeline.Judged one, Pipeline.Judged other) {
        PairedBootstrap.Result success = difference(one, other, Measure.SUCCESS);
        return new Comparison(
                one.agent().title(),
                other.agent().title(),
                success.pairs(),
                success.difference(),
                graded()
                        ? Optional.of(difference(one, other, Measure.SCORE).difference())
                        : Optional.empty());
    }

    private PairedBootstrap.Result difference(
            Pipeline.Judged one, Pipeline.Judged other, Measure measure) {
        return PairedBootstrap.difference(
                one.episodes(),
                other.episodes(),
                measure,
                RandomSource.of(info.seed()).derive("bootstrap"));
    }
}
