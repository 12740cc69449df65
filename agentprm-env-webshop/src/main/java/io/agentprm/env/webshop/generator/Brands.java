package io.agentprm.env.webshop.generator;

import java.util.List;
import java.util.Locale;

/** Invented names of brands. */
final class Brands {
    private static final List<String> STARTS =
            List.of(
                    "Vel", "Zor", "Kim", "Lun", "Bro", "Tav", "Nex", "Qui", "Dra", "Fen", "Gul",
                    "Hax", "Jor", "Mip", "Ost", "Pru", "Rov", "Syl", "Ulf", "Wex");
    private static final List<String> MIDDLES =
            List.of("a", "e", "i", "o", "u", "ari", "eno", "ilo", "oru", "ume");
    private static final List<String> ENDS =
            List.of(
                    "dex", "lith", "mora", "nik", "pora", "quil", "rath", "sona", "tivo", "vant",
                    "wyn", "zeth", "bly", "core", "fjord", "gard");

    private Brands() {}

    static String draw(Draws draws) {
        String name = draws.pick(STARTS) + draws.pick(MIDDLES) + draws.pick(ENDS);
        return draws.chance(0.2) ? name.toUpperCase(Locale.ROOT) : name;
    }
}
