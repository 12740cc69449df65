package io.agentprm.lm.tokenizer;

import io.agentprm.api.lm.Tokenizer;
import io.agentprm.lm.LanguageModelException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.IntStream;

/**
 * A byte-level tokenizer in Java. Text is cut into pieces ({@link PreTokenizer}), and each piece
 * becomes the token that it is as a whole, or else the tokens that the merge rules make of its
 * bytes (Sennrich et al. 2016, algorithm 1). With all 256 bytes in the vocabulary every text
 * survives the way to ids and back, and a vocabulary of whole words without any merge rule falls
 * back to bytes for a word that it does not know.
 *
 * <p>Ids are the same as those of the Hugging Face library for the same {@code tokenizer.json}
 * (tested), as long as Java and that library agree on what is a letter; they may differ on
 * characters that are newer than the Java platform's Unicode version. Text must be well-formed
 * UTF-16: an unpaired surrogate becomes a question mark. Thread-safe.
 */
public final class ByteLevelTokenizer implements Tokenizer {
    private static final int CACHE_LIMIT = 1 << 16;

    /**
     * A merge rule.
     *
     * @param left symbols of the left token
     * @param right symbols of the right token
     */
    record Merge(String left, String right) {}

    private final PreTokenizer preTokenizer;
    private final Symbols symbols;
    private final MergeRules rules;
    private final TokenRoles roles;
    private final boolean wholePieces;
    private final ConcurrentMap<String, int[]> cache = new ConcurrentHashMap<>();

    /**
     * @param wholePieces whether a piece that is a token is taken as it is, whatever the rules
     */
    ByteLevelTokenizer(
            PreTokenizer preTokenizer,
            Symbols symbols,
            MergeRules rules,
            TokenRoles roles,
            boolean wholePieces) {
        this.preTokenizer = preTokenizer;
        this.symbols = symbols;
        this.rules = rules;
        this.roles = roles;
        this.wholePieces = wholePieces;
    }

    /**
     * Reads a {@code tokenizer.json} that {@link #write} wrote; other byte-level BPE files of the
     * GPT-2 kind can be read too.
     *
     * @throws LanguageModelException if the file asks for anything else; {@link Tokenizers} reads
     *     such files through the Hugging Face library
     */
    public static ByteLevelTokenizer read(Path file, TokenRoles roles) {
        return TokenizerJson.read(file, roles);
    }

    /** Writes a standard {@code tokenizer.json}; the same tokenizer gives the same bytes. */
    public void write(Path file) {
        TokenizerJson.write(file, this);
    }

    @Override
    public int[] encode(String text) {
        IntList out = new IntList(text.length() / 3 + 8);
        preTokenizer.split(text, piece -> out.addAll(encodePiece(piece)));
        return out.toArray();
    }

    @Override
    public String decode(int[] tokens) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(4 * tokens.length);
        for (int id : tokens) {
            if (id < 0 || id >= vocabularySize()) {
                throw new LanguageModelException(
                        "Token id " + id + " is outside of the vocabulary of " + vocabularySize());
            }
            out.writeBytes(symbols.bytes(id));
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Override
    public int vocabularySize() {
        return symbols.texts().size();
    }

    @Override
    public int beginOfSequence() {
        return roles.beginOfSequence();
    }

    @Override
    public int endOfTurn() {
        return roles.endOfTurn();
    }

    @Override
    public int padding() {
        return roles.padding();
    }

    PreTokenizer preTokenizer() {
        return preTokenizer;
    }

    /** The text of each id. */
    List<String> symbols() {
        return symbols.texts();
    }

    /** In order of precedence. */
    List<Merge> merges() {
        return IntStream.range(0, rules.size())
                .mapToObj(
                        rank ->
                                new Merge(
                                        symbols.texts().get(rules.left(rank)),
                                        symbols.texts().get(rules.right(rank))))
                .toList();
    }

    Set<Integer> specials() {
        return symbols.specials();
    }

    boolean wholePieces() {
        return wholePieces;
    }

    private int[] encodePiece(String piece) {
        int[] known = cache.get(piece);
        if (known != null) {
            return known;
        }
        String pieceSymbols = ByteAlphabet.toSymbols(piece);
        int whole = wholePieces ? symbols.id(pieceSymbols) : TextTable.NONE;
        int[] encoded = whole == TextTable.NONE ? merge(piece, pieceSymbols) : new int[] {whole};
        if (cache.size() < CACHE_LIMIT) {
            cache.put(piece, encoded);
        }
        return encoded;
    }

    private int[] merge(String piece, String pieceSymbols) {
        int[] tokens =
                IntStream.range(0, pieceSymbols.length())
                        .map(i -> byteId(piece, pieceSymbols.charAt(i)))
                        .toArray();
        int length = tokens.length;
        while (length > 1 && rules.size() > 0) {
            int best = MergeRules.NONE;
            long bestPair = 0;
            for (int i = 0; i + 1 < length; i++) {
                long pair = pair(tokens[i], tokens[i + 1]);
                int rank = rules.rank(pair);
                if (rank != MergeRules.NONE && (best == MergeRules.NONE || rank < best)) {
                    best = rank;
                    bestPair = pair;
                }
            }
            if (best == MergeRules.NONE) {
                break;
            }
            length = replace(tokens, length, bestPair, rules.result(best));
        }
        return Arrays.copyOf(tokens, length);
    }

    /** Replaces a pair everywhere from left to right, in place; returns the new length. */
    private static int replace(int[] tokens, int length, long pair, int result) {
        int to = 0;
        for (int from = 0; from < length; from++) {
            if (from + 1 < length && pair(tokens[from], tokens[from + 1]) == pair) {
                tokens[to++] = result;
                from++;
            } else {
                tokens[to++] = tokens[from];
            }
        }
        return to;
    }

    private int byteId(String piece, char symbol) {
        int id = symbols.id(String.valueOf(symbol));
        if (id == TextTable.NONE) {
            throw new LanguageModelException(
                    "The tokenizer's alphabet lacks a byte of '"
                            + piece
                            + "'; train it with all 256 bytes, or on text that has such characters");
        }
        return id;
    }

    static long pair(int left, int right) {
        return ((long) left << 32) | right;
    }
}
