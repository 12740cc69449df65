package io.agentprm.env.webshop.suite;

import io.agentprm.api.env.Environment;
import io.agentprm.api.plugin.EnvironmentProvider;
import io.agentprm.api.run.RunContext;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.catalog.CatalogFiles;
import io.agentprm.env.webshop.catalog.ProductSource;
import io.agentprm.env.webshop.generator.CatalogGenerator;
import io.agentprm.env.webshop.generator.GeneratedProducts;
import io.agentprm.env.webshop.goal.GoalKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The environment {@code webshop}. */
public final class WebshopProvider implements EnvironmentProvider<WebshopConfig> {
    private static final String DATA = "WEBSHOP_DATA";

    @Override
    public String name() {
        return "webshop";
    }

    @Override
    public String description() {
        return "An online shop in text (WebShop): a generated catalogue, or the released one.";
    }

    @Override
    public Class<WebshopConfig> configuration() {
        return WebshopConfig.class;
    }

    /**
     * Opens the suite; products are read and indexed when they are first needed.
     *
     * @throws WebshopException if released products are wanted and their folder is not named or
     *     does not hold them, or there is no such table of nouns
     */
    @Override
    public Environment create(WebshopConfig configuration, RunContext context) {
        configuration
                .nouns()
                .filter(file -> !Files.isReadable(file))
                .ifPresent(
                        file -> {
                            throw new WebshopException(
                                    "cannot read " + file + "; check the setting nouns");
                        });
        return new WebshopEnvironment(source(configuration), configuration);
    }

    private static ProductSource source(WebshopConfig configuration) {
        if (configuration.catalog() == WebshopConfig.Origin.GENERATED) {
            return new GeneratedProducts(new CatalogGenerator(configuration.generator()));
        }
        Path data =
                configuration
                        .data()
                        .or(() -> Optional.ofNullable(System.getenv(DATA)).map(Path::of))
                        .orElseThrow(
                                () ->
                                        new WebshopException(
                                                "released products are asked for, but neither the"
                                                        + " data option nor the environment variable "
                                                        + DATA
                                                        + " is set; set one to the folder that holds"
                                                        + " items_shuffle*.json"));
        CatalogFiles files = CatalogFiles.in(data, configuration.limit());
        if (configuration.goals() == GoalKind.HUMAN && !files.hasInstructions()) {
            throw new WebshopException(
                    "goals of people are asked for, but "
                            + data
                            + " holds no items_human_ins*.json; add it, or set goals to synthetic");
        }
        return files;
    }
}
