package io.agentprm.env.webshop.suite;

import io.agentprm.api.env.Task;
import io.agentprm.env.webshop.goal.Goal;
import io.agentprm.env.webshop.goal.GoalBook;
import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;

/** The tasks of a split; each is made when it is asked for, as there may be millions. */
final class GoalTasks extends AbstractList<Task> implements RandomAccess {
    private final GoalBook goals;
    private final String split;
    private final Positions positions;

    GoalTasks(GoalBook goals, String split, Positions positions) {
        this.goals = goals;
        this.split = split;
        this.positions = positions;
    }

    @Override
    public Task get(int index) {
        int position = positions.at(Objects.checkIndex(index, size()));
        Goal goal = goals.goal(position);
        return Task.of(goals.id(position), split, goal.category())
                .with(WebshopEnvironment.INSTRUCTION, goal.instruction())
                .with(WebshopEnvironment.POSITION, Integer.toString(position));
    }

    @Override
    public int size() {
        return positions.count();
    }
}
