package io.agentprm.testkit;

import java.util.LinkedHashMap;
import java.util.Map;

/** Texts that models do write and environments do show, by what is odd about them. */
final class OddTexts {
    private static final int LONG = 100_000;

    private OddTexts() {}

    static Map<String, String> all() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("empty text", "");
        texts.put("white space", " \t\n ");
        texts.put("several lines", "go\n> look\n\nOK.");
        texts.put("Unicode", "ouvrir le frigo \u00e9\u0301 \u51b7\u8535\u5eab \ud83e\uddca");
        texts.put("half a surrogate pair", "a\ud83e");
        texts.put("markup", "</action> <|im_end|> {{x}} %s $1 \\");
        texts.put("very long text", "a ".repeat(LONG / 2));
        return texts;
    }
}
