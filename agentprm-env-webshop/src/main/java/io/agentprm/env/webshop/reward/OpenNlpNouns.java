package io.agentprm.env.webshop.reward;

import io.agentprm.env.webshop.WebshopException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import opennlp.tools.postag.POSModel;
import opennlp.tools.postag.POSTaggerME;

/**
 * Nouns by Apache OpenNLP's part-of-speech model for English with Universal Dependencies tags
 * (trained on UD EWT). The original uses spaCy, for which there is no twin in Java; they differ in
 * a few words of a title, which matters only where the title's score crosses 0, 0.1 or 0.2.
 */
public final class OpenNlpNouns implements NounExtractor {
    private static final String MODEL = "opennlp-en-ud-ewt-pos-1.2-2.5.0.bin";

    private final POSModel model;

    private OpenNlpNouns(POSModel model) {
        this.model = model;
    }

    /**
     * Loads the model, which takes some tenths of a second.
     *
     * @throws WebshopException if the model's JAR is missing
     */
    public static OpenNlpNouns load() {
        try (InputStream in = OpenNlpNouns.class.getClassLoader().getResourceAsStream(MODEL)) {
            if (in == null) {
                throw new WebshopException(
                        MODEL
                                + " is not on the class path; add opennlp-models-pos-en, or give a"
                                + " table of nouns");
            }
            return new OpenNlpNouns(new POSModel(in));
        } catch (IOException e) {
            throw new WebshopException(MODEL + " cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public List<String> nouns(String title) {
        String[] tokens = TitleTokens.of(title);
        // A tagger keeps state, a model does not.
        String[] tags = new POSTaggerME(model).tag(tokens);
        List<String> nouns = new ArrayList<>();
        for (int i = 0; i < tokens.length; i++) {
            if (tags[i].equals("NOUN") || tags[i].equals("PROPN")) {
                nouns.add(tokens[i].toLowerCase(Locale.ROOT));
            }
        }
        return List.copyOf(nouns);
    }
}
