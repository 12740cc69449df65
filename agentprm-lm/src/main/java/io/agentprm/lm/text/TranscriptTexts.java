package io.agentprm.lm.text;

import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import java.util.ArrayList;
import java.util.List;

/** The texts that a renderer will encode, for training a tokenizer on them. */
public final class TranscriptTexts {
    private TranscriptTexts() {}

    /** The parts of a trajectory's transcript, each as it will be encoded. */
    public static List<String> of(
            Trajectory trajectory, PromptTemplate template, ReplyFormat format) {
        List<String> texts = new ArrayList<>();
        for (Turn turn : trajectory.turns()) {
            texts.add(
                    texts.isEmpty()
                            ? template.head(trajectory.instruction(), turn.observation(), true)
                            : template.turn(turn.observation()));
            texts.add(format.text(turn.decision()));
        }
        texts.add(template.head(trajectory.instruction(), trajectory.finalObservation(), false));
        return texts;
    }
}
