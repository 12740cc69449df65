package io.agentprm.lm.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.lm.LanguageModelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizerFileTest {
    private static final TokenRoles ROLES = new TokenRoles(0, 0, 0);
    private static final String VOCABULARY =
            "\"vocab\": {\"<|end|>\": 0, \"a\": 1, \"b\": 2, \"c\": 4, \"ab\": 3, \"abc\": 5, \"ba\": 6}";
    private static final String MERGES =
            "\"merges\": [[\"a\", \"b\"], [\"ab\", \"c\"], [\"b\", \"a\"]]";

    @TempDir Path dir;

    private Path write(String... model) throws IOException {
        String json =
                """
                {"added_tokens": [{"id": 0, "content": "<|end|>", "special": true}],
                 "model": {"type": "BPE", %s},
                 "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
                 "decoder": {"type": "ByteLevel"}}
                """;
        return Files.writeString(
                dir.resolve("tokenizer.json"), json.formatted(String.join(", ", model)));
    }

    private static int[] encoded(Path file) {
        return ByteLevelTokenizer.read(file, ROLES).encode("abcab");
    }

    @Test
    void vocabularyAndMergesMayComeInAnyOrder() throws IOException {
        assertArrayEquals(new int[] {5, 3}, encoded(write(VOCABULARY, MERGES)));
        assertArrayEquals(new int[] {5, 3}, encoded(write(MERGES, VOCABULARY)));
    }

    @Test
    void aRuleIsAPairOrTwoTextsWithABlankBetween() throws IOException {
        String joined = "\"merges\": [\"a b\", \"ab c\"]";
        assertArrayEquals(new int[] {5, 3}, encoded(write(VOCABULARY, joined)));
        assertArrayEquals(new int[] {5, 3}, encoded(write(joined, VOCABULARY)));
    }

    @Test
    void whatIsNoRuleIsRefusedByName() throws IOException {
        for (String wrong :
                List.of(
                        "[]",
                        "[\"a\"]",
                        "[1, \"b\"]",
                        "\"ab\"",
                        "[\"a\", \"x\"]",
                        "[\"a\", \"c\"]")) {
            Path file = write(VOCABULARY, "\"merges\": [" + wrong + "]", "\"dropout\": null");
            String message =
                    assertThrows(LanguageModelException.class, () -> encoded(file), wrong)
                            .getMessage();
            assertTrue(message.contains("uses tokens that the vocabulary lacks"), message);
        }
    }

    @Test
    void ofEachTextThereIsOneString() throws IOException {
        for (boolean vocabularyFirst : new boolean[] {true, false}) {
            Path file =
                    write(
                            vocabularyFirst ? VOCABULARY : MERGES,
                            vocabularyFirst ? MERGES : VOCABULARY);
            TokenizerFile content = TokenizerFile.read(file);
            assertEquals(7, content.texts().size());
            assertEquals(7, content.vocabularySize());
            for (int rule = 0; rule < 3; rule++) {
                for (String text : List.of(content.left(rule), content.right(rule))) {
                    assertSame(content.texts().get(content.texts().indexOf(text)), text);
                }
            }
        }
    }

    @Test
    void aVocabularyWithoutAnIdOrWithOneTwiceIsRefused() throws IOException {
        Path gap = write("\"vocab\": {\"a\": 2}", "\"merges\": []");
        assertTrue(
                assertThrows(LanguageModelException.class, () -> encoded(gap))
                        .getMessage()
                        .contains("has the impossible id 2"));
        Path twice = write("\"vocab\": {\"a\": 1, \"b\": 1, \"c\": 2}", "\"merges\": []");
        assertTrue(
                assertThrows(LanguageModelException.class, () -> encoded(twice))
                        .getMessage()
                        .contains("token 'b' has the impossible id 1"));
    }
}
