package io.agentprm.env.webshop.generator;

import io.agentprm.env.webshop.WebshopException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All kinds of goods, read from {@code goods.txt}. */
final class Goods {
    private static final String FILE = "goods.txt";

    /** Attributes that goods of all groups have. */
    private static final List<String> COMMON =
            List.of(
                    "high quality",
                    "long lasting",
                    "easy use",
                    "easy clean",
                    "easy carry",
                    "eco friendly",
                    "premium quality",
                    "value pack");

    private final List<Kind> kinds = new ArrayList<>();

    private Goods() {}

    static List<Kind> kinds() {
        Goods goods = new Goods();
        goods.read(lines());
        return List.copyOf(goods.kinds);
    }

    private static List<String> lines() {
        try (InputStream in = Goods.class.getResourceAsStream(FILE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(List<String> lines) {
        Map<String, List<String>> values = new HashMap<>();
        List<Map<String, String>> groups = new ArrayList<>();
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            int blank = line.indexOf(' ');
            String key = line.substring(0, blank);
            String rest = line.substring(blank + 1);
            if (key.equals("values")) {
                int equals = rest.indexOf(" = ");
                values.put(rest.substring(0, equals), list(rest.substring(equals + 3), ";"));
            } else {
                if (key.equals("group")) {
                    groups.add(new HashMap<>());
                }
                groups.get(groups.size() - 1).put(key, rest);
            }
        }
        groups.forEach(group -> add(group, values));
    }

    private void add(Map<String, String> lines, Map<String, List<String>> values) {
        List<String> head = list(lines.get("group"), "\\|");
        Map<String, List<String>> options = new LinkedHashMap<>();
        for (String option : list(lines.get("options"), ";")) {
            int colon = option.indexOf(": ");
            String set = option.substring(colon + 2);
            if (!values.containsKey(set)) {
                throw new WebshopException(FILE + " has no values '" + set + "'");
            }
            options.put(option.substring(0, colon), values.get(set));
        }
        Group group =
                new Group(
                        head.get(0),
                        head.get(1),
                        Double.parseDouble(head.get(2)),
                        Stream.concat(list(lines.get("before"), ",").stream(), COMMON.stream())
                                .distinct()
                                .toList(),
                        list(lines.get("with"), ","),
                        list(lines.get("for"), ","),
                        list(lines.get("words"), ","),
                        options);
        for (String kind : list(lines.get("kinds"), ";")) {
            int equals = kind.indexOf(" = ");
            kinds.add(new Kind(group, kind.substring(0, equals), kind.substring(equals + 3)));
        }
    }

    private static List<String> list(String text, String separator) {
        return Arrays.stream(text.split(separator)).map(String::strip).toList();
    }
}
