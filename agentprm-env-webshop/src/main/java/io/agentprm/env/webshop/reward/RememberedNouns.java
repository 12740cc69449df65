package io.agentprm.env.webshop.reward;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Asks another extractor once for each title, as tagging takes a millisecond. */
public final class RememberedNouns implements NounExtractor {
    private static final int MOST = 4096;

    private final NounExtractor tagger;
    private final Map<String, List<String>> known = new ConcurrentHashMap<>();

    public RememberedNouns(NounExtractor tagger) {
        this.tagger = tagger;
    }

    @Override
    public List<String> nouns(String title) {
        List<String> nouns = known.get(title);
        if (nouns == null) {
            nouns = tagger.nouns(title);
            if (known.size() >= MOST) {
                known.clear();
            }
            known.put(title, nouns);
        }
        return nouns;
    }
}
