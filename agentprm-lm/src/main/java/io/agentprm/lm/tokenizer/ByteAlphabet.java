package io.agentprm.lm.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One printable character for each of the 256 bytes: the alphabet of byte-level vocabularies
 * (Radford et al. 2019, section 2.2). Printable Latin-1 bytes stand for themselves, the other 68
 * are counted up from U+0100.
 */
final class ByteAlphabet {
    private static final int[] BYTE_OF = new int[256 + 68];
    private static final char[] CHAR_OF = new char[256];

    static {
        Arrays.fill(BYTE_OF, -1);
        int next = 256;
        for (int b = 0; b < 256; b++) {
            boolean printable = (b >= '!' && b <= '~') || (b >= 0xa1 && b <= 0xac) || (b >= 0xae);
            CHAR_OF[b] = (char) (printable ? b : next++);
            BYTE_OF[CHAR_OF[b]] = b;
        }
    }

    private ByteAlphabet() {}

    /** The UTF-8 bytes of the text, one character each. */
    static String toSymbols(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        char[] out = new char[bytes.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = CHAR_OF[bytes[i] & 0xff];
        }
        return new String(out);
    }

    static String symbol(int unsignedByte) {
        return String.valueOf(CHAR_OF[unsignedByte]);
    }

    /** Whether every character stands for a byte. */
    static boolean isSymbols(String symbols) {
        for (int i = 0; i < symbols.length(); i++) {
            char c = symbols.charAt(i);
            if (c >= BYTE_OF.length || BYTE_OF[c] < 0) {
                return false;
            }
        }
        return true;
    }

    static byte[] toBytes(String symbols) {
        byte[] out = new byte[symbols.length()];
        for (int i = 0; i < out.length; i++) {
            out[i] = (byte) BYTE_OF[symbols.charAt(i)];
        }
        return out;
    }
}
