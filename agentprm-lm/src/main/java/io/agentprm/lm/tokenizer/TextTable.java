package io.agentprm.lm.tokenizer;

/**
 * Numbers of texts, in arrays (open addressing) and not in objects: a published vocabulary has
 * hundreds of thousands. A text that lies in two pieces, or in a parser's buffer, is found without
 * making a string of it.
 */
final class TextTable {
    /** Instead of a number, where there is no such text. */
    static final int NONE = -1;

    private String[] texts;
    private int[] numbers;
    private int count;

    /**
     * @param expected how many texts there will be, about; it grows
     */
    TextTable(int expected) {
        texts = new String[Integer.highestOneBit(Math.max(4, expected)) << 2];
        numbers = new int[texts.length];
    }

    /** The number of a text, or {@link #NONE}. */
    int get(String text) {
        return get(text, "");
    }

    /** The number of the text that two pieces make. */
    int get(String left, String right) {
        int hash = left.hashCode();
        for (int i = 0; i < right.length(); i++) {
            hash = 31 * hash + right.charAt(i);
        }
        int length = left.length() + right.length();
        int place = start(hash);
        while (texts[place] != null) {
            String text = texts[place];
            if (text.length() == length && text.startsWith(left) && text.endsWith(right)) {
                return numbers[place];
            }
            place = next(place);
        }
        return NONE;
    }

    /** The number of the text that a part of an array holds. */
    int get(char[] characters, int from, int length) {
        int hash = 0;
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + characters[i];
        }
        int place = start(hash);
        while (texts[place] != null) {
            if (holds(texts[place], characters, from, length)) {
                return numbers[place];
            }
            place = next(place);
        }
        return NONE;
    }

    private static boolean holds(String text, char[] characters, int from, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != characters[from + i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Adds a text that has no number yet.
     *
     * @param number not negative
     */
    void put(String text, int number) {
        if (2 * ++count > texts.length) {
            grow();
        }
        place(text, number);
    }

    private void place(String text, int number) {
        int place = start(text.hashCode());
        while (texts[place] != null) {
            place = next(place);
        }
        texts[place] = text;
        numbers[place] = number;
    }

    private void grow() {
        String[] oldTexts = texts;
        int[] oldNumbers = numbers;
        texts = new String[2 * oldTexts.length];
        numbers = new int[texts.length];
        for (int i = 0; i < oldTexts.length; i++) {
            if (oldTexts[i] != null) {
                place(oldTexts[i], oldNumbers[i]);
            }
        }
    }

    /** Where a text is looked for first; {@link String#hashCode} leaves the upper bits thin. */
    private int start(int hash) {
        return (hash * 0x9E3779B9) >>> (1 + Integer.numberOfLeadingZeros(texts.length));
    }

    private int next(int place) {
        return place + 1 & texts.length - 1;
    }
}
