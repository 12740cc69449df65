package io.agentprm.env.webshop.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Titles, descriptions and features of a product. */
final class TextMaker {
    private static final List<String> SENTENCES =
            List.of(
                    "This %n is made for years of use, and %a.",
                    "You get %a without paying more for it.",
                    "Its %w and %w were designed together, so that everything fits.",
                    "%A, as it should be: we tested it in many homes.",
                    "Good to know: %a is standard here, as is %a.",
                    "Whether you think of %a or of %a, it does not let you down.",
                    "A present for family and friends, on birthdays and holidays.",
                    "The %w is easy to like and easy to keep.",
                    "Please allow a small difference in size, since it is measured by hand.",
                    "Colors may look a little different on your screen.",
                    "If anything is not as you expect, write to us and we answer within a day.",
                    "Made by %b with care for the detail of every %w.",
                    "What is in the box: one %w and a short guide.",
                    "We think of %a first, then of the price.");
    private static final List<String> HEADS =
            List.of(
                    "%A",
                    "%W AND %W",
                    "WHAT YOU GET",
                    "QUALITY OF %B",
                    "FOR EVERY DAY",
                    "%A AND %A",
                    "EASY TO KEEP",
                    "A GOOD PRESENT");

    private final Family family;
    private final String brand;
    private final Draws draws;

    /** Attributes that texts may mention: mostly the product's own, some of its neighbours'. */
    private final List<String> mentioned;

    TextMaker(Family family, String brand, List<String> attributes, Draws draws) {
        this.family = family;
        this.brand = brand;
        this.draws = draws;
        this.mentioned = new ArrayList<>(attributes);
        mentioned.addAll(draws.some(family.found().group().attributes(), 5));
    }

    /**
     * A title.
     *
     * @param attributes of the product; some are named
     * @param detail colour or size, or empty
     */
    String title(List<String> attributes, String detail) {
        List<String> named = draws.some(mentioned, 1 + draws.below(4));
        StringBuilder title = new StringBuilder(brand);
        for (String attribute : named) {
            title.append(' ').append(capitals(attribute));
        }
        title.append(' ').append(family.found().noun());
        for (String word : draws.some(family.found().group().words(), 3 + draws.below(4))) {
            title.append(draws.chance(0.3) ? ", " : " ").append(word);
        }
        if (draws.chance(0.6)) {
            title.append(" for ").append(capitals(draws.pick(family.found().group().use())));
        }
        if (draws.chance(0.4)) {
            title.append(", ").append(draws.pick(family.found().group().words()));
            title.append(' ').append(capitals(draws.pick(mentioned)));
        }
        if (!detail.isEmpty()) {
            title.append(draws.chance(0.5) ? ", " + detail : " (" + detail + ")");
        }
        return title.toString();
    }

    /** Empty in three of ten, else a few sentences. */
    String description() {
        return draws.chance(0.3) ? "" : sentences(4 + draws.below(12));
    }

    /** One to eight features, mostly five. */
    List<String> bullets() {
        int count = 1 + draws.index(4, 3, 5, 7, 70, 5, 3, 3);
        List<String> bullets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String head = fill(draws.pick(HEADS)).toUpperCase(Locale.ROOT);
            bullets.add(head + ": " + sentences(1 + draws.below(4)) + " ");
        }
        return bullets;
    }

    private String sentences(int count) {
        List<String> sentences = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sentences.add(fill(draws.pick(SENTENCES)));
        }
        return String.join(" ", sentences);
    }

    private String fill(String pattern) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c != '%') {
                text.append(c);
                continue;
            }
            i++;
            text.append(
                    switch (pattern.charAt(i)) {
                        case 'n' -> family.found().noun().toLowerCase(Locale.ROOT);
                        case 'a' -> draws.pick(mentioned);
                        case 'A' -> capitals(draws.pick(mentioned));
                        case 'w' -> draws.pick(family.words()).toLowerCase(Locale.ROOT);
                        case 'W' -> draws.pick(family.words());
                        default -> brand;
                    });
        }
        return text.toString();
    }

    private static String capitals(String words) {
        StringBuilder text = new StringBuilder();
        for (String word : words.split(" ")) {
            text.append(text.isEmpty() ? "" : " ")
                    .append(word.substring(0, 1).toUpperCase(Locale.ROOT))
                    .append(word.substring(1));
        }
        return text.toString();
    }
}
