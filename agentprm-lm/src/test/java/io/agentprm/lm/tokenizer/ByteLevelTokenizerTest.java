package io.agentprm.lm.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import io.agentprm.lm.LanguageModelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ByteLevelTokenizerTest {
    private static final TokenRoles ROLES = new TokenRoles(1, 2, 0);

    private static final List<String> CORPUS =
            List.of(
                    "You are in the middle of a room. Looking quickly around you, you see a bed 1,",
                    " a cabinet 12, a cabinet 11, and a garbagecan 1.\n",
                    "Your task is to: put a clean mug in cabinet.\n",
                    "go to cabinet 12",
                    "go to cabinet 11",
                    "You arrive at cabinet 12. On the cabinet 12, you see nothing.\n");

    private static final List<String> HARD =
            List.of(
                    "",
                    " ",
                    "  ",
                    "\n",
                    "\n\n  \n",
                    "\t\ttabs \r\n and  double  spaces   ",
                    "go to cabinet 12",
                    "cabinet12 x2 007",
                    "it's we'll I'd DON'T 's",
                    "naïve café ﬁ İstanbul",
                    "世界 日本語、中文。",
                    "emoji 😀👩‍👩‍👧🏽 end",
                    "\u00a0nbsp\u2003em\u2028line\u3000ideographic\u0085nel",
                    "١٢٣ ½ ² Ⅷ numbers",
                    "combining e\u0301 \u0000 \u001b control",
                    "<|end|> <|begin|><|pad|> <|en d|>",
                    "a_b-c/d\\e \"quoted\" (x) [y] {z} $1.99 50%");

    @TempDir Path dir;

    private static List<ByteLevelTokenizer> trained() {
        return List.of(
                new BpeTrainer(
                                PreTokenizer.GPT2,
                                Alphabet.ALL_BYTES,
                                330,
                                2,
                                SpecialTokens.standard())
                        .train(CORPUS),
                WordTrainer.standard().train(CORPUS),
                new WordTrainer(
                                PreTokenizer.WORDS_AND_DIGITS,
                                Alphabet.ALL_BYTES,
                                4096,
                                1,
                                SpecialTokens.standard())
                        .train(CORPUS),
                new BpeTrainer(
                                PreTokenizer.WORDS,
                                Alphabet.ALL_BYTES,
                                300,
                                1,
                                SpecialTokens.standard())
                        .train(CORPUS));
    }

    @Test
    void aMissingFileIsNamedInWordsAndNotByAnExceptionOfJava(@TempDir Path directory) {
        Path file = directory.resolve("tokenizer.json");
        String message =
                assertThrows(
                                LanguageModelException.class,
                                () -> ByteLevelTokenizer.read(file, ROLES))
                        .getMessage();
        assertEquals("Cannot read " + file + ": there is no " + file + "; check the path", message);
    }

    @Test
    void textSurvivesTheWayToIdsAndBack() {
        for (ByteLevelTokenizer tokenizer : trained()) {
            for (String text : hardAndRandom()) {
                assertEquals(text, tokenizer.decode(tokenizer.encode(text)));
            }
        }
    }

    @Test
    void javaAndTheHuggingFaceLibraryAgreeOnEveryId() {
        for (ByteLevelTokenizer tokenizer : trained()) {
            Path file = dir.resolve("tokenizer.json");
            tokenizer.write(file);
            try (NativeTokenizer reference =
                    NativeTokenizer.open(file, TokenizerFile.read(file), ROLES)) {
                assertEquals(reference.vocabularySize(), tokenizer.vocabularySize());
                for (String text : hardAndRandom()) {
                    if (!text.contains("<|")) {
                        int[] ids = tokenizer.encode(text);
                        assertArrayEquals(reference.encode(text), ids, text);
                        assertEquals(text, reference.decode(ids));
                    }
                }
            }
        }
    }

    @Test
    void aSpecialTokenSpelledOutInTextIsOrdinaryText() {
        String text = "the wall says <|end|> and <|begin|>";
        for (ByteLevelTokenizer tokenizer : trained()) {
            Path file = dir.resolve("tokenizer.json");
            tokenizer.write(file);
            try (NativeTokenizer reference =
                    NativeTokenizer.open(file, TokenizerFile.read(file), ROLES)) {
                for (int[] ids : List.of(tokenizer.encode(text), reference.encode(text))) {
                    assertTrue(Arrays.stream(ids).noneMatch(id -> id <= 2));
                    assertEquals(text, tokenizer.decode(ids));
                    assertEquals(text, reference.decode(ids));
                }
            }
        }
    }

    @Test
    void specialTokensDecodeToNothing() {
        for (ByteLevelTokenizer tokenizer : trained()) {
            int[] go = tokenizer.encode("go");
            int[] ids = new int[go.length + 3];
            ids[0] = tokenizer.beginOfSequence();
            System.arraycopy(go, 0, ids, 1, go.length);
            ids[go.length + 1] = tokenizer.endOfTurn();
            ids[go.length + 2] = tokenizer.padding();
            assertEquals("go", tokenizer.decode(ids));
        }
    }

    @Test
    void aWrittenTokenizerReadsBackAsTheSame() throws Exception {
        for (ByteLevelTokenizer tokenizer : trained()) {
            Path file = dir.resolve("a.json");
            Path again = dir.resolve("b.json");
            tokenizer.write(file);
            ByteLevelTokenizer.read(file, ROLES).write(again);
            assertEquals(-1, Files.mismatch(file, again));
            assertTrue(TokenizerJson.find(file, TokenizerFile.read(file), ROLES).isPresent());
        }
    }

    @Test
    void longTextIsNeitherTruncatedNorPadded() {
        ByteLevelTokenizer tokenizer = WordTrainer.standard().train(CORPUS);
        Path file = dir.resolve("tokenizer.json");
        tokenizer.write(file);
        String text = String.join("", Collections.nCopies(2000, " cabinet"));
        assertEquals(2000, tokenizer.encode(text).length);
        try (NativeTokenizer reference =
                NativeTokenizer.open(file, TokenizerFile.read(file), ROLES)) {
            assertEquals(2000, reference.encode(text).length);
            assertEquals(2, reference.encode(" cabinet cabinet").length);
        }
    }

    @Test
    void nothingIsTruncatedOrPaddedEvenWhereTheFileAsksForIt() throws Exception {
        Path file = dir.resolve("tokenizer.json");
        WordTrainer.standard().train(CORPUS).write(file);
        String json =
                Files.readString(file)
                        .replace(
                                "\"truncation\" : null",
                                "\"truncation\" : {\"direction\": \"Right\", \"max_length\": 512,"
                                        + " \"strategy\": \"LongestFirst\", \"stride\": 0}")
                        .replace(
                                "\"padding\" : null",
                                "\"padding\" : {\"strategy\": {\"Fixed\": 700}, \"direction\":"
                                        + " \"Right\", \"pad_to_multiple_of\": null, \"pad_id\": 0,"
                                        + " \"pad_type_id\": 0, \"pad_token\": \"<|pad|>\"}");
        assertTrue(json.contains("max_length") && json.contains("Fixed"));
        Files.writeString(file, json);
        try (NativeTokenizer reference =
                NativeTokenizer.open(file, TokenizerFile.read(file), ROLES)) {
            assertEquals(600, reference.encode(" cabinet".repeat(600)).length);
            assertEquals(1, reference.encode(" cabinet").length);
        }
        assertEquals(
                600, ByteLevelTokenizer.read(file, ROLES).encode(" cabinet".repeat(600)).length);
    }

    @Test
    void aBeginOfSequenceThatTheFileWouldAddIsNotAdded() throws Exception {
        Path file = dir.resolve("tokenizer.json");
        WordTrainer.standard().train(CORPUS).write(file);
        String template =
                """
                "post_processor" : {"type": "TemplateProcessing",
                  "single": [{"SpecialToken": {"id": "<|begin|>", "type_id": 0}},
                             {"Sequence": {"id": "A", "type_id": 0}}],
                  "pair": [{"Sequence": {"id": "A", "type_id": 0}},
                           {"Sequence": {"id": "B", "type_id": 1}}],
                  "special_tokens": {"<|begin|>":
                    {"id": "<|begin|>", "ids": [1], "tokens": ["<|begin|>"]}}}
                """;
        String json = Files.readString(file);
        Files.writeString(file, json.replace("\"post_processor\" : null", template.strip()));
        try (HuggingFaceTokenizer raw = HuggingFaceTokenizer.newInstance(file)) {
            assertEquals(1, raw.encode(" cabinet", true, false).getIds()[0], "the file adds it");
        }
        try (NativeTokenizer reference =
                NativeTokenizer.open(file, TokenizerFile.read(file), ROLES)) {
            assertEquals(1, reference.encode(" cabinet").length);
        }
        assertEquals(1, ByteLevelTokenizer.read(file, ROLES).encode(" cabinet").length);
    }

    @Test
    void oneWordOneToken() {
        ByteLevelTokenizer tokenizer = WordTrainer.standard().train(CORPUS);
        assertEquals(4, tokenizer.encode("go to cabinet 12").length);
        assertEquals(
                List.of("go", " to", " cabinet", " ", "1", "3"),
                pieces(tokenizer, "go to cabinet 13"));
        assertEquals(List.of(".", "\n"), pieces(tokenizer, ".\n"));
    }

    @Test
    void digitsCanBeSplitOff() {
        ByteLevelTokenizer tokenizer = trained().get(2);
        assertEquals(List.of(" cabinet", " 1", "2"), pieces(tokenizer, " cabinet 12"));
    }

    @Test
    void aClosedAlphabetRefusesWhatItHasNotSeen() {
        ByteLevelTokenizer tokenizer =
                new WordTrainer(
                                PreTokenizer.WORDS,
                                Alphabet.SEEN_BYTES,
                                4096,
                                1,
                                SpecialTokens.standard())
                        .train(CORPUS);
        assertTrue(tokenizer.vocabularySize() < 100);
        assertEquals("tea", tokenizer.decode(tokenizer.encode("tea")));
        LanguageModelException e =
                assertThrows(LanguageModelException.class, () -> tokenizer.encode("go é"));
        assertTrue(e.getMessage().contains("lacks a byte of ' é'"), e.getMessage());
    }

    @Test
    void trainingDoesNotDependOnTheOrderOfTexts() {
        List<String> reversed = new ArrayList<>(CORPUS);
        Collections.reverse(reversed);
        assertEquals(
                WordTrainer.standard().train(CORPUS).symbols(),
                WordTrainer.standard().train(reversed).symbols());
        assertEquals(
                BpeTrainer.ofSize(320).train(CORPUS).merges(),
                BpeTrainer.ofSize(320).train(reversed).merges());
    }

    @Test
    void bpeMergesTheMostFrequentPairFirstAndTiesByLowerIds() {
        // aab x3 and cb x3: (a,a) and (a,b) and (c,b) occur 3 times each; a has the lowest id.
        BpeTrainer trainer =
                new BpeTrainer(
                        PreTokenizer.WORDS, Alphabet.SEEN_BYTES, 9, 1, SpecialTokens.standard());
        ByteLevelTokenizer tokenizer = trainer.train(List.of("aab", "aab", "aab\ncb\ncb\ncb"));
        assertEquals(
                List.of(
                        new ByteLevelTokenizer.Merge("a", "a"),
                        new ByteLevelTokenizer.Merge("c", "b")),
                tokenizer.merges().subList(0, 2));
    }

    @Test
    void incrementalCountsEqualCountingAfresh() {
        Random random = new Random(3);
        List<String> corpus = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            corpus.add(letters(random, 3, 1 + random.nextInt(12)));
        }
        BpeTrainer trainer =
                new BpeTrainer(
                        PreTokenizer.WORDS, Alphabet.SEEN_BYTES, 60, 2, SpecialTokens.standard());
        assertEquals(NaiveBpe.merges(corpus, 60, 2), trainer.train(corpus).merges());
    }

    @Test
    void idsOutsideOfTheVocabularyAreAnError() {
        ByteLevelTokenizer tokenizer = WordTrainer.standard().train(CORPUS);
        assertThrows(
                LanguageModelException.class,
                () -> tokenizer.decode(new int[] {tokenizer.vocabularySize()}));
        assertThrows(LanguageModelException.class, () -> tokenizer.decode(new int[] {-1}));
    }

    @Test
    void otherKindsOfTokenizerGoThroughTheLibrary() throws Exception {
        Path file = dir.resolve("tokenizer.json");
        WordTrainer.standard().train(CORPUS).write(file);
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("\"normalizer\" : null", "\"normalizer\" : {\"type\": \"NFC\"}"));
        assertTrue(TokenizerJson.find(file, TokenizerFile.read(file), ROLES).isEmpty());
        assertThrows(LanguageModelException.class, () -> ByteLevelTokenizer.read(file, ROLES));
        assertEquals(
                " cabinet",
                Tokenizers.open(file, ROLES)
                        .decode(Tokenizers.open(file, ROLES).encode(" cabinet")));
    }

    private static List<String> pieces(ByteLevelTokenizer tokenizer, String text) {
        return IntStream.of(tokenizer.encode(text))
                .mapToObj(id -> tokenizer.decode(new int[] {id}))
                .toList();
    }

    private static List<String> hardAndRandom() {
        List<String> out = new ArrayList<>(HARD);
        out.addAll(CORPUS);
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            out.add(letters(random, 26, random.nextInt(40)));
            StringBuilder any = new StringBuilder();
            for (int j = random.nextInt(20); j > 0; j--) {
                int c = random.nextInt(0x3100);
                // What is assigned in this Java version is known to the library too.
                if (Character.isDefined(c)) {
                    any.appendCodePoint(c);
                }
            }
            out.add(any.toString());
        }
        return out;
    }

    private static String letters(Random random, int alphabet, int length) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < length; i++) {
            out.append((char) ('a' + random.nextInt(alphabet)));
        }
        return out.toString();
    }
}
