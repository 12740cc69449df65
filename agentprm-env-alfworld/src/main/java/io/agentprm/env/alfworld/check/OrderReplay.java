package io.agentprm.env.alfworld.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.alfworld.game.UpstreamOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Vectors of the order in which the batch interface deals out games. */
final class OrderReplay {
    private static final Pattern KEY = Pattern.compile("seed=(\\d+),n=(\\d+)");

    private final Tally tally;

    OrderReplay(Tally tally) {
        this.tally = tally;
    }

    static boolean accepts(JsonNode json) {
        return json.isObject()
                && !json.isEmpty()
                && json.properties().stream()
                        .allMatch(entry -> KEY.matcher(entry.getKey()).matches());
    }

    void replay(String where, JsonNode json) {
        json.properties()
                .forEach(
                        entry -> {
                            tally.startGame();
                            Matcher key = KEY.matcher(entry.getKey());
                            if (key.matches()) {
                                replay(
                                        where + ", " + entry.getKey(),
                                        entry.getValue(),
                                        Long.parseLong(key.group(1)),
                                        Integer.parseInt(key.group(2)));
                            }
                        });
    }

    private void replay(String where, JsonNode passes, long seed, int count) {
        List<Integer> games = IntStream.range(0, count).boxed().toList();
        UpstreamOrder<Integer> order = new UpstreamOrder<>(games, seed);
        for (String pass : List.of("first_pass", "second_pass")) {
            List<Integer> expected = new ArrayList<>();
            Fields.required(passes, pass).forEach(number -> expected.add(number.asInt()));
            List<Integer> actual = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                actual.add(order.next());
            }
            tally.compare(where, pass, expected, actual);
        }
    }
}
