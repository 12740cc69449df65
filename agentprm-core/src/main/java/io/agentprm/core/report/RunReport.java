package io.agentprm.core.report;

import java.util.ArrayList;
import java.util.List;

/** Everything that a report shows. What is empty is left out of the page. Immutable. */
public final class RunReport {
    private final String title;
    private final String summary;
    private final List<String> notes;
    private final List<Iteration> iterations;
    private final List<Comparison> comparisons;
    private final List<Plot> scaling;
    private final List<Plot> rewardHacking;
    private final List<Plot> training;
    private final List<Histogram> histograms;
    private final List<Calibration> calibrations;
    private final List<SampleEpisode> episodes;
    private final List<FactSheet> facts;
    private final String configuration;

    private RunReport(Builder builder) {
        this.title = builder.title;
        this.summary = builder.summary;
        this.notes = List.copyOf(builder.notes);
        this.iterations = List.copyOf(builder.iterations);
        this.comparisons = List.copyOf(builder.comparisons);
        this.scaling = List.copyOf(builder.scaling);
        this.rewardHacking = List.copyOf(builder.rewardHacking);
        this.training = List.copyOf(builder.training);
        this.histograms = List.copyOf(builder.histograms);
        this.calibrations = List.copyOf(builder.calibrations);
        this.episodes = List.copyOf(builder.episodes);
        this.facts = List.copyOf(builder.facts);
        this.configuration = builder.configuration;
    }

    /**
     * Starts a report.
     *
     * @param title name of the run
     */
    public static Builder builder(String title) {
        return new Builder(title);
    }

    public String title() {
        return title;
    }

    /** What was run, in one or two sentences. */
    public String summary() {
        return summary;
    }

    /** What the reader must know, shown before everything else: warnings, limits. */
    public List<String> notes() {
        return notes;
    }

    /** By ascending number. */
    public List<Iteration> iterations() {
        return iterations;
    }

    public List<Comparison> comparisons() {
        return comparisons;
    }

    /** Success against the number of candidates per turn. */
    public List<Plot> scaling() {
        return scaling;
    }

    /** The reward model's own score beside the true success. */
    public List<Plot> rewardHacking() {
        return rewardHacking;
    }

    /** Losses, KL and the like by step. */
    public List<Plot> training() {
        return training;
    }

    /** Targets and scores. */
    public List<Histogram> histograms() {
        return histograms;
    }

    public List<Calibration> calibrations() {
        return calibrations;
    }

    public List<SampleEpisode> episodes() {
        return episodes;
    }

    public List<FactSheet> facts() {
        return facts;
    }

    /** The configuration as resolved, as text; empty if not shown. */
    public String configuration() {
        return configuration;
    }

    /** Collects a report; every {@code add} keeps the order of its calls. */
    public static final class Builder {
        private final String title;
        private String summary = "";
        private final List<String> notes = new ArrayList<>();
        private final List<Iteration> iterations = new ArrayList<>();
        private final List<Comparison> comparisons = new ArrayList<>();
        private final List<Plot> scaling = new ArrayList<>();
        private final List<Plot> rewardHacking = new ArrayList<>();
        private final List<Plot> training = new ArrayList<>();
        private final List<Histogram> histograms = new ArrayList<>();
        private final List<Calibration> calibrations = new ArrayList<>();
        private final List<SampleEpisode> episodes = new ArrayList<>();
        private final List<FactSheet> facts = new ArrayList<>();
        private String configuration = "";

        private Builder(String title) {
            this.title = title;
        }

        public Builder summary(String text) {
            summary = text;
            return this;
        }

        public Builder note(String text) {
            notes.add(text);
            return this;
        }

        public Builder add(Iteration iteration) {
            iterations.add(iteration);
            return this;
        }

        public Builder add(Comparison comparison) {
            comparisons.add(comparison);
            return this;
        }

        /** x is the number of candidates per turn, y the success. */
        public Builder scaling(Plot plot) {
            scaling.add(plot);
            return this;
        }

        /** The reward model's score and the success over the same x. */
        public Builder rewardHacking(Plot plot) {
            rewardHacking.add(plot);
            return this;
        }

        public Builder training(Plot plot) {
            training.add(plot);
            return this;
        }

        public Builder add(Histogram histogram) {
            histograms.add(histogram);
            return this;
        }

        public Builder add(Calibration calibration) {
            calibrations.add(calibration);
            return this;
        }

        public Builder add(SampleEpisode episode) {
            episodes.add(episode);
            return this;
        }

        public Builder add(FactSheet sheet) {
            facts.add(sheet);
            return this;
        }

        public Builder configuration(String text) {
            configuration = text;
            return this;
        }

        public RunReport build() {
            return new RunReport(this);
        }
    }
}
