package io.agentprm.cli.doctor;

import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.catalog.CatalogFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The released WebShop products, which are optional. They are large: only their files are seen. */
final class WebshopDataProbe implements Probe {
    private static final String VARIABLE = "WEBSHOP_DATA";
    private static final String TOPIC = "webshop data";

    private final Map<String, String> environment;

    WebshopDataProbe(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public List<Finding> look() {
        String value = environment.getOrDefault(VARIABLE, "");
        return List.of(
                value.isEmpty()
                        ? Finding.note(
                                TOPIC,
                                VARIABLE + " is not set; only generated products can be bought")
                        : files(value));
    }

    private static Finding files(String folder) {
        try {
            CatalogFiles files = CatalogFiles.in(Path.of(folder), 0);
            return Finding.ok(
                    TOPIC,
                    "products in "
                            + folder
                            + (files.hasInstructions()
                                    ? ", with instructions of people"
                                    : ", without instructions of people (items_human_ins*.json):"
                                            + " goals can be synthetic only"));
        } catch (WebshopException e) {
            return Finding.problem(TOPIC, VARIABLE + " is " + folder + ", but " + e.getMessage());
        }
    }
}
