package io.agentprm.env.webshop.catalog;

import java.util.List;

/**
 * An instruction that a person wrote.
 *
 * @param text in that person's words
 * @param attributes those that it asks for; none if it is no goal
 * @param options values of options that it asks for
 */
public record HumanInstruction(String text, List<String> attributes, List<String> options) {
    public HumanInstruction {
        attributes = List.copyOf(attributes);
        options = List.copyOf(options);
    }
}
