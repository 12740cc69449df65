package io.agentprm.cli.run;

import io.agentprm.cli.text.Table;
import io.agentprm.core.pipeline.RunPlan;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The plan of a run for the terminal. */
final class PlanText {
    private static final double MEGABYTE = 1e6;

    private PlanText() {}

    static void print(PrintWriter out, RunPlan plan) {
        out.println(
                "Run '"
                        + plan.name()
                        + "' in "
                        + plan.directory()
                        + (plan.begun() ? ", which is begun" : ", which is new"));
        Table.print(
                out,
                List.of(
                        List.of("  environment", plan.environment().toString()),
                        List.of("  engine", plan.engine()),
                        List.of("  models", plan.models() + size(plan))));
        out.println();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("STAGE", "STATE", "WORK"));
        for (RunPlan.Stage stage : plan.stages()) {
            rows.add(List.of(stage.name(), state(stage), stage.work()));
        }
        Table.print(out, rows);
        out.println();
        out.println(
                "Episodes: "
                        + plan.demonstrations()
                        + " of demonstrations, "
                        + plan.rollouts()
                        + " of rollouts, "
                        + plan.evaluations()
                        + " of evaluations");
        plan.modelBytes()
                .ifPresent(
                        bytes ->
                                out.printf(
                                        Locale.ROOT,
                                        "Disk: at most %.1f MB for the weights of %d models;"
                                                + " episodes and checkpoints come on top%n",
                                        bytes / MEGABYTE,
                                        plan.trained()));
        out.println("Nothing was written.");
    }

    private static String size(RunPlan plan) {
        return plan.parameters().isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT, ", at most %,d parameters", plan.parameters().getAsLong());
    }

    private static String state(RunPlan.Stage stage) {
        return switch (stage.progress()) {
            case MISSING -> "to do";
            case STARTED -> "begun";
            case DONE -> "done";
        };
    }
}
