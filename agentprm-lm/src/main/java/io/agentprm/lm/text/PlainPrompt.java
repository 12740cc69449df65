package io.agentprm.lm.text;

import io.agentprm.api.env.Observation;
import io.agentprm.lm.LanguageModelException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** A plain template with its patterns compiled. */
final class PlainPrompt implements PromptTemplate {
    private record Replacement(Pattern pattern, String replacement) {}

    private final PlainTemplate template;
    private final List<Replacement> replacements = new ArrayList<>();

    PlainPrompt(PlainTemplate template) {
        this.template = template;
        for (Rewrite rewrite : template.rewrites()) {
            try {
                Pattern pattern = Pattern.compile(rewrite.pattern());
                replacements.add(new Replacement(pattern, rewrite.replacement()));
            } catch (PatternSyntaxException e) {
                throw new LanguageModelException(
                        "rewrites: '"
                                + rewrite.pattern()
                                + "' is not a regular expression: "
                                + e.getDescription(),
                        e);
            }
        }
    }

    @Override
    public String head(String instruction, Observation observation, boolean initial) {
        String turn = turn(observation);
        boolean written =
                switch (template.instruction()) {
                    case ALWAYS -> true;
                    case NEVER -> false;
                    case UNLESS_OBSERVED ->
                            !initial || !observation.text().contains(instruction.strip());
                };
        return written ? template.instructionPrefix() + instruction.strip() + "\n" + turn : turn;
    }

    @Override
    public String turn(Observation observation) {
        StringBuilder text = new StringBuilder(rewritten(observation.text()).strip());
        if (template.admissibleActions()) {
            observation
                    .admissibleActions()
                    .ifPresent(
                            actions ->
                                    text.append("\nActions: ").append(String.join(", ", actions)));
        }
        return text.append(template.mark()).toString();
    }

    private String rewritten(String text) {
        String out = text;
        for (Replacement r : replacements) {
            out = r.pattern().matcher(out).replaceAll(r.replacement());
        }
        return out;
    }
}
