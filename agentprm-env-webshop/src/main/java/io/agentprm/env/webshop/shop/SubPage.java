package io.agentprm.env.webshop.shop;

import io.agentprm.env.webshop.python.PythonText;
import java.util.Optional;

/** Pages below that of a product. */
enum SubPage {
    DESCRIPTION("Description"),
    FEATURES("Features"),
    REVIEWS("Reviews"),
    ATTRIBUTES("Attributes");

    private final String label;

    SubPage(String label) {
        this.label = label;
    }

    /** Text of its button. */
    String label() {
        return label;
    }

    static Optional<SubPage> of(String clicked) {
        for (SubPage page : values()) {
            if (PythonText.lower(page.label).equals(clicked)) {
                return Optional.of(page);
            }
        }
        return Optional.empty();
    }
}
