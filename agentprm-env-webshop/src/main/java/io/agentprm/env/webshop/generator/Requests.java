package io.agentprm.env.webshop.generator;

import java.util.ArrayList;
import java.util.List;

/** Instructions: by rule, and as people write them. */
final class Requests {
    private static final List<String> PHRASES =
            List.of(
                    "i am looking for %a %q%o",
                    "i need %q that are %a%o.",
                    "i want to buy %q with %a%o",
                    "find me %a %q%o.",
                    "can you find %q%o? they should be %a",
                    "i'm looking for some %a %q%o",
                    "please get me %q%o that are %a.",
                    "i would like %q%o, and they must be %a",
                    "show me %a %q%o",
                    "i need a new set of %q. %a matters to me%o",
                    "looking for %q%o, %a please",
                    "my friend told me about %a %q, i want them%o",
                    "buy %q%o which are %a.",
                    "hello, do you have %q that offer %a%o?");

    private Requests() {}

    /** Such as {@code Find me easy clean coffee tables with solid wood for living room}. */
    static String byRule(Family family, List<String> asked) {
        Group group = family.found().group();
        StringBuilder text = new StringBuilder("Find me ");
        String before = join(asked, group.before());
        text.append(before).append(before.isEmpty() ? "" : " ").append(family.kind().query());
        String with = join(asked, group.with());
        text.append(with.isEmpty() ? "" : " with ").append(with);
        String use = join(asked, group.use());
        return text.append(use.isEmpty() ? "" : " for ").append(use).toString();
    }

    private static String join(List<String> asked, List<String> of) {
        List<String> kept = new ArrayList<>(asked);
        kept.retainAll(of);
        return String.join(", ", kept);
    }

    /** In the words of a person: attributes, and values of options without their names. */
    static String byPerson(Kind kind, List<String> asked, List<String> values, Draws draws) {
        String options =
                values.isEmpty()
                        ? ""
                        : (draws.chance(0.5) ? " in " : ", ") + String.join(" and ", values);
        return draws.pick(PHRASES)
                .replace("%a", String.join(" and ", asked))
                .replace("%q", kind.query())
                .replace("%o", options);
    }
}
