package io.agentprm.env.alfworld.suite;

import io.agentprm.env.alfworld.game.Game;
import io.agentprm.env.alfworld.game.GameReader;
import io.agentprm.env.alfworld.game.Hashes;
import io.agentprm.env.alfworld.generator.GeneratedGame;
import io.agentprm.env.alfworld.generator.GeneratorOptions;
import io.agentprm.env.alfworld.generator.HouseholdGenerator;
import io.agentprm.env.alfworld.generator.Split;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Games made from a seed. */
final class GeneratedGames implements GameSource {
    private final HouseholdGenerator generator;
    private final GameReader reader = new GameReader();

    GeneratedGames(GeneratorOptions options) {
        this.generator = new HouseholdGenerator(options);
    }

    @Override
    public List<String> splits() {
        return Arrays.stream(Split.values()).map(Split::label).toList();
    }

    @Override
    public List<Game> load(String label) {
        Split split = Split.of(label);
        List<Game> games = new ArrayList<>();
        for (int i = 0; i < generator.options().games(split); i++) {
            GeneratedGame game = generator.game(split, i);
            games.add(reader.read(label + "/" + game.folder(), game.json()));
        }
        return games;
    }

    @Override
    public String json(Game game) {
        String id = game.id();
        Split split = Split.of(id.substring(0, id.indexOf('/')));
        return generator.game(split, HouseholdGenerator.indexOf(id)).json();
    }

    /** Of the options and the first game of each split, which changes if the generator does. */
    @Override
    public String contentHash() {
        StringBuilder text = new StringBuilder(generator.options().toString());
        for (Split split : Split.values()) {
            if (generator.options().games(split) > 0) {
                text.append(generator.game(split, 0).json());
            }
        }
        return Hashes.sha256(text.toString());
    }
}
