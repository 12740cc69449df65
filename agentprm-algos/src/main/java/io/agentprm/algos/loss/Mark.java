package io.agentprm.algos.loss;

import io.agentprm.api.lm.TrainingRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The place of a turn's score: a mark of a row's trunk.
 *
 * @param row number of the row
 * @param index number of the mark
 */
record Mark(int row, int index) {
    /**
     * The turns of each trajectory, in order: the marks of the rows of a group one after the other
     * (a trajectory may take more than one row), or of a row without a group.
     */
    static List<List<Mark>> trajectories(List<TrainingRow> rows) {
        Map<Object, List<Mark>> trajectories = new LinkedHashMap<>();
        for (int r = 0; r < rows.size(); r++) {
            Object key = rows.get(r).group() < 0 ? new Object() : rows.get(r).group();
            List<Mark> marks = trajectories.computeIfAbsent(key, k -> new ArrayList<>());
            for (int i = 0; i < rows.get(r).tree().segment(0).markCount(); i++) {
                marks.add(new Mark(r, i));
            }
        }
        return List.copyOf(trajectories.values());
    }
}
