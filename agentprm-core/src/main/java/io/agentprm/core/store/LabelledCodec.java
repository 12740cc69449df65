package io.agentprm.core.store;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TurnLabel;
import io.agentprm.core.RunException;
import io.agentprm.core.json.Fields;
import java.util.List;
import java.util.Optional;

/** A trajectory with the additional field {@code labels}, one element or null for each turn. */
final class LabelledCodec implements Codec<LabelledTrajectory> {
    private final TrajectoryCodec trajectories = new TrajectoryCodec();

    @Override
    public ObjectNode encode(LabelledTrajectory labelled) {
        ObjectNode node = trajectories.encode(labelled.trajectory());
        ArrayNode labels = node.putArray("labels");
        for (Optional<TurnLabel> label : labelled.labels()) {
            if (label.isEmpty()) {
                labels.addNull();
            } else if (!Double.isFinite(label.get().value())) {
                throw new RunException(
                        "label is " + label.get().value() + ", which JSON cannot hold");
            } else {
                labels.addObject()
                        .put("value", label.get().value())
                        .put("visits", label.get().visits());
            }
        }
        return node;
    }

    @Override
    public LabelledTrajectory decode(Fields fields) {
        var trajectory = trajectories.decode(fields);
        List<Optional<TurnLabel>> labels =
                fields.optionalObjects("labels").stream()
                        .map(
                                each ->
                                        each.map(
                                                label ->
                                                        new TurnLabel(
                                                                label.number("value"),
                                                                label.integer("visits"))))
                        .toList();
        if (labels.size() != trajectory.length()) {
            throw fields.error(
                    "labels: " + trajectory.length() + " are expected, there are " + labels.size());
        }
        return LabelledTrajectory.of(trajectory, labels);
    }
}
