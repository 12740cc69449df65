package io.agentprm.env.alfworld.expert;

import io.agentprm.env.alfworld.household.Treatment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Something that an observation tells. Receptacles and things go by their displayed names. */
sealed interface Event {
    /** The room has these receptacles. */
    record Room(List<String> receptacles) implements Event {}

    /** The agent came to the place of a receptacle. */
    record Arrived(String receptacle) implements Event {}

    record Opened(String receptacle) implements Event {}

    /** The receptacle was closed, or turned out to be. */
    record Closed(String receptacle) implements Event {}

    /** The receptacle holds exactly these things. */
    record Contents(String receptacle, List<String> things) implements Event {}

    record Taken(String thing, String receptacle) implements Event {}

    record Put(String thing, String receptacle) implements Event {}

    record Treated(String thing, Treatment treatment) implements Event {}

    record SwitchedOn(String thing) implements Event {}

    /** What one observation tells, in the order in which it happened. */
    static List<Event> in(String text) {
        List<Event> events = new ArrayList<>();
        for (Sentence sentence : Sentence.ALL) {
            Matcher matcher = sentence.pattern.matcher(text);
            while (matcher.find()) {
                events.add(sentence.meaning.apply(matcher));
            }
        }
        return events;
    }

    /** A form of sentence, in current and old games. */
    record Sentence(Pattern pattern, Function<MatchResult, Event> meaning) {
        private static final String NAME = "([a-z]+ \\d+)";
        private static final Pattern ITEM = Pattern.compile("\\ba " + NAME);

        private static final List<Sentence> ALL =
                List.of(
                        of(
                                "Looking quickly around you, you see ([^.]*)\\.",
                                m -> new Room(items(m.group(1)))),
                        of(
                                "You arrive at [^.]*\\. (?:On the|The) " + NAME,
                                m -> new Arrived(m.group(1))),
                        of("You open the " + NAME + "\\.", m -> new Opened(m.group(1))),
                        of("You close the " + NAME + "\\.", m -> new Closed(m.group(1))),
                        of("The " + NAME + " is closed\\.", m -> new Closed(m.group(1))),
                        of(
                                "On the " + NAME + ", you see ([^.]*)\\.",
                                m -> new Contents(m.group(1), items(m.group(2)))),
                        of(
                                "The " + NAME + " is open\\. In it, you see ([^.]*)\\.",
                                m -> new Contents(m.group(1), items(m.group(2)))),
                        of(
                                "You pick up the " + NAME + " from the " + NAME + "\\.",
                                m -> new Taken(m.group(1), m.group(2))),
                        of(
                                "You (?:move|put) the "
                                        + NAME
                                        + " (?:to|in/on) the "
                                        + NAME
                                        + "\\.",
                                m -> new Put(m.group(1), m.group(2))),
                        of(
                                "You (clean|heat|cool) the " + NAME + " using the ",
                                m ->
                                        new Treated(
                                                m.group(2),
                                                Treatment.valueOf(
                                                        m.group(1).toUpperCase(Locale.ROOT)))),
                        of("You turn on the " + NAME + "\\.", m -> new SwitchedOn(m.group(1))));

        private static Sentence of(String pattern, Function<MatchResult, Event> meaning) {
            return new Sentence(Pattern.compile(pattern), meaning);
        }

        private static List<String> items(String list) {
            return ITEM.matcher(list).results().map(item -> item.group(1)).toList();
        }
    }
}
