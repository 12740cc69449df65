package io.agentprm.lm.text;

import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The texts that a renderer will encode, for training a tokenizer on them. */
public final class TranscriptTexts {
    private TranscriptTexts() {}

    /**
     * The parts of a trajectory's transcript, each as it will be encoded, and once each admissible
     * action as a reply, so that actions which nobody took have their words in the vocabulary too.
     */
    public static List<String> of(
            Trajectory trajectory, PromptTemplate template, ReplyFormat format) {
        List<String> texts = new ArrayList<>();
        Set<String> actions = new LinkedHashSet<>();
        for (Turn turn : trajectory.turns()) {
            texts.add(
                    texts.isEmpty()
                            ? template.head(trajectory.instruction(), turn.observation(), true)
                            : template.turn(turn.observation()));
            texts.add(format.text(turn.decision()));
            turn.observation().admissibleActions().ifPresent(actions::addAll);
        }
        texts.add(template.head(trajectory.instruction(), trajectory.finalObservation(), false));
        actions.forEach(a -> texts.add(format.write(Optional.empty(), a)));
        return texts;
    }
}
