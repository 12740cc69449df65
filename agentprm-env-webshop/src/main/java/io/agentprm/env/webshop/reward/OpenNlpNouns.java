package io.agentprm.env.webshop.reward;

import io.agentprm.env.webshop.WebshopException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import opennlp.tools.postag.POSModel;
import opennlp.tools.postag.POSTaggerME;

/**
 * Nouns by Apache OpenNLP's part-of-speech model for English with Universal Dependencies tags
 * (trained on UD EWT). The original uses spaCy, for which there is no twin in Java; they differ in
 * a few words of a title, which matters only where the title's score crosses 0, 0.1 or 0.2.
 */
public final class OpenNlpNouns implements NounExtractor {
    private static final String MODEL = "opennlp-en-ud-ewt-pos-1.2-2.5.0.bin";

    private final URL source;
    private Optional<POSTaggerME> tagger = Optional.empty();

    private OpenNlpNouns(URL source) {
        this.source = source;
    }

    /**
     * Finds the model, which is read with the first title.
     *
     * @throws WebshopException if the model's JAR is missing
     */
    public static OpenNlpNouns create() {
        URL source = OpenNlpNouns.class.getClassLoader().getResource(MODEL);
        if (source == null) {
            throw new WebshopException(
                    MODEL
                            + " is not on the class path; add opennlp-models-pos-en, or give a table"
                            + " of nouns");
        }
        return new OpenNlpNouns(source);
    }

    /** Takes some tenths of a second, which whoever buys nothing saves. */
    private POSTaggerME tagger() {
        if (tagger.isEmpty()) {
            try (InputStream in = source.openStream()) {
                tagger = Optional.of(new POSTaggerME(new POSModel(in)));
            } catch (IOException e) {
                throw new WebshopException(source + " cannot be read: " + e.getMessage(), e);
            }
        }
        return tagger.get();
    }

    /** One title at a time: a tagger keeps state, and is dear to make. */
    @Override
    public synchronized List<String> nouns(String title) {
        String[] tokens = TitleTokens.of(title);
        String[] tags = tagger().tag(tokens);
        List<String> nouns = new ArrayList<>();
        for (int i = 0; i < tokens.length; i++) {
            if (tags[i].equals("NOUN") || tags[i].equals("PROPN")) {
                nouns.add(tokens[i].toLowerCase(Locale.ROOT));
            }
        }
        return List.copyOf(nouns);
    }
}
