package io.agentprm.env.webshop.catalog;

import java.util.List;

/**
 * An instruction made by rule.
 *
 * @param text such as {@code Find me long lasting, easy use console tables}
 * @param attributes those that it asks for; without any it is no goal
 */
public record SyntheticRequest(String text, List<String> attributes) {
    public SyntheticRequest {
        attributes = List.copyOf(attributes);
    }
}
