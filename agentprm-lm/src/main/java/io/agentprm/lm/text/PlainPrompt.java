package io.agentprm.lm.text;

import io.agentprm.api.env.Observation;
import io.agentprm.lm.LanguageModelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** A plain template with its patterns compiled. */
final class PlainPrompt implements PromptTemplate {
    private record Replacement(Pattern pattern, String replacement) {}

    private final PlainTemplate template;
    private final List<Replacement> replacements = new ArrayList<>();

    /** Observations repeat, and each is rendered again at every later turn. */
    private final Memo<String> bodies = new Memo<>(text -> rewritten(text).strip());

    private final Memo<String> turns;

    PlainPrompt(PlainTemplate template) {
        this.template = template;
        this.turns = new Memo<>(text -> bodies.of(text) + template.mark());
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
        return written
                ? template.instructionPrefix() + cased(instruction.strip()) + "\n" + turn
                : turn;
    }

    @Override
    public String turn(Observation observation) {
        if (!template.admissibleActions() || observation.admissibleActions().isEmpty()) {
            return turns.of(observation.text());
        }
        StringBuilder text = new StringBuilder(bodies.of(observation.text()));
        observation
                .admissibleActions()
                .ifPresent(
                        actions -> text.append("\nActions: ").append(String.join(", ", actions)));
        return text.append(template.mark()).toString();
    }

    private String rewritten(String text) {
        String out = text;
        for (Replacement r : replacements) {
            out = r.pattern().matcher(out).replaceAll(r.replacement());
        }
        return cased(out);
    }

    private String cased(String text) {
        return template.lowerCase() ? text.toLowerCase(Locale.ROOT) : text;
    }
}
