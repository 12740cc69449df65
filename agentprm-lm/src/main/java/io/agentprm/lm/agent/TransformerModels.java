package io.agentprm.lm.agent;

import io.agentprm.api.IoReasons;
import io.agentprm.api.lm.AgentModels;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.LanguagePolicy;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.Tokenizer;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainablePolicy;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.chat.ChatTemplate;
import io.agentprm.lm.checkpoint.AdapterInitializer;
import io.agentprm.lm.checkpoint.AtomicDirectory;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.ModelInitializer;
import io.agentprm.lm.text.ChatPrompt;
import io.agentprm.lm.text.PromptTemplate;
import io.agentprm.lm.text.ReplyFormat;
import io.agentprm.lm.text.TranscriptRenderer;
import io.agentprm.lm.text.TranscriptTexts;
import io.agentprm.lm.tokenizer.ByteLevelTokenizer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decoders of the Llama family, with a plain transcript or their own chat template as their prompt.
 * Thread-safe.
 */
public final class TransformerModels implements AgentModels {
    private final TransformerConfig config;
    private final Optional<ChatPrompt> chat;
    private final PromptTemplate template;
    private final ReplyFormat format;

    /**
     * @throws LanguageModelException if the checkpoint has no chat template although it shall be
     *     used, or one that cannot be
     */
    public TransformerModels(TransformerConfig config) {
        this.config = config;
        this.chat =
                config.dialogue() == Dialogue.CHAT ? Optional.of(chat(config)) : Optional.empty();
        this.template =
                chat.<PromptTemplate>map(prompt -> prompt)
                        .orElseGet(() -> config.prompt().compile());
        this.format = config.reply().format();
    }

    private static ChatPrompt chat(TransformerConfig config) {
        ModelDirectory checkpoint =
                ModelDirectory.withoutWeights(config.checkpoint().orElseThrow());
        return ChatPrompt.of(
                ChatTemplate.read(ChatTemplate.place(checkpoint))
                        .with(TemplateVariables.of(config.templateVariables())),
                config.prompt().withMark("").compile(),
                config.system());
    }

    @Override
    public void initialise(Path target, List<Trajectory> corpus, RandomSource random) {
        if (config.checkpoint().isPresent()) {
            if (config.lora().isPresent()) {
                adapt(config.checkpoint().get(), target, random, false);
            } else {
                copy(config.checkpoint().get(), target);
            }
            return;
        }
        if (corpus.isEmpty()) {
            throw new LanguageModelException(
                    "A new model needs trajectories to train its tokenizer on; give demonstrations"
                            + " or a checkpoint");
        }
        ByteLevelTokenizer tokenizer = config.vocabulary().train(texts(corpus));
        ModelConfig shape =
                config.architecture()
                        .config(
                                tokenizer.vocabularySize(),
                                tokenizer.beginOfSequence(),
                                tokenizer.endOfTurn(),
                                tokenizer.padding());
        try {
            // In a directory: a temporary file, and so each copy of it, is readable by its owner
            // only.
            Path directory = Files.createTempDirectory("tokenizer");
            Path file = directory.resolve("tokenizer.json");
            try {
                tokenizer.write(file);
                ModelInitializer.create(
                        target,
                        shape,
                        config.architecture().initialization(),
                        random.derive("weights").seed(),
                        Optional.of(file));
            } finally {
                Files.deleteIfExists(file);
                Files.delete(directory);
            }
        } catch (IOException e) {
            throw new LanguageModelException(
                    "Cannot write a temporary tokenizer: " + IoReasons.of(e), e);
        }
    }

    /**
     * Every text that the renderer will encode for these trajectories, one trajectory at a time.
     */
    private Iterable<String> texts(List<Trajectory> corpus) {
        return () ->
                corpus.stream()
                        .flatMap(t -> TranscriptTexts.of(t, template, format).stream())
                        .iterator();
    }

    /** Of the checkpoint; of a new model if its tokenizer uses up the vocabulary's size. */
    @Override
    public OptionalLong parameters() {
        ModelConfig shape =
                config.checkpoint()
                        .map(checkpoint -> ModelDirectory.open(checkpoint).config())
                        .orElseGet(
                                () ->
                                        config.architecture()
                                                .config(config.vocabulary().size(), 0, 0, 0));
        return OptionalLong.of(shape.parameters());
    }

    /**
     * {@inheritDoc}
     *
     * <p>The head of an adapter has no bias, for Hugging Face's classifiers have none. Where
     * adapters are trained, a policy that is none gets one.
     */
    @Override
    public void addScoreHead(Path policy, Path target, RandomSource random) {
        long seed = random.derive("score-head").seed();
        boolean adapter = ModelDirectory.withoutWeights(policy).adapter().isPresent();
        if (!adapter && config.lora().isPresent()) {
            adapt(policy, target, random, true);
        } else {
            ModelInitializer.addScoreHead(policy, target, seed, !adapter);
        }
    }

    @Override
    public StateRenderer renderer(LanguageModel model) {
        return renderer(model.tokenizer(), model.info().contextLength());
    }

    private TranscriptRenderer renderer(Tokenizer tokenizer, int contextLength) {
        chat.ifPresent(prompt -> requireEndOfTurn(prompt.endOfTurn(), tokenizer.endOfTurn()));
        return TranscriptRenderer.of(
                template, format, tokenizer, contextLength, config.maxReplyTokens() + 1);
    }

    @Override
    public LanguagePolicy policy(String id, LanguageModel model) {
        return new ModelPolicy<>(id, model, renderer(model), format, config.decoding(), sampling());
    }

    @Override
    public TrainablePolicy trainablePolicy(String id, TrainableModel model) {
        return new TrainableModelPolicy(
                id, model, renderer(model), format, config.decoding(), sampling());
    }

    @Override
    public RewardModel rewardModel(String id, LanguageModel model) {
        if (!model.info().hasScoreHead()) {
            throw new LanguageModelException(
                    "The model of '" + id + "' has no score head and can't be a reward model");
        }
        return new ModelRewardModel(id, model, renderer(model));
    }

    private static void requireEndOfTurn(int ofTemplate, int ofModel) {
        if (ofTemplate != ofModel) {
            throw new LanguageModelException(
                    "The chat template ends replies with token "
                            + ofTemplate
                            + ", the model with "
                            + ofModel
                            + "; put "
                            + ofTemplate
                            + " first in the eos_token_id of the model's generation_config.json");
        }
    }

    private Sampling sampling() {
        return Sampling.temperature(config.temperature(), config.maxReplyTokens() + 1);
    }

    private void adapt(Path checkpoint, Path target, RandomSource random, boolean scoreHead) {
        ModelDirectory base = ModelDirectory.open(checkpoint);
        AdapterInitializer.create(
                base,
                target,
                config.lora().orElseThrow(),
                scoreHead,
                random.derive("adapter").seed(),
                chat.map(prompt -> base.stopsFirstAt(prompt.endOfTurn()))
                        .orElseGet(base::stopTokenIds));
    }

    /** Of several stop tokens, the one that the chat template uses becomes the end of turn. */
    private void copy(Path checkpoint, Path target) {
        ModelDirectory.open(checkpoint);
        AtomicDirectory.create(
                target,
                directory -> {
                    try (var files = Files.list(checkpoint)) {
                        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                            // The bytes alone: a checkpoint may be for reading only, its copy not.
                            try (InputStream in = Files.newInputStream(file)) {
                                Files.copy(in, directory.resolve(file.getFileName()));
                            }
                        }
                    }
                    chat.ifPresent(
                            prompt -> ModelDirectory.stopFirstAt(directory, prompt.endOfTurn()));
                });
    }
}
