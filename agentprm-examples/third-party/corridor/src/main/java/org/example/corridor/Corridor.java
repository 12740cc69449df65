package org.example.corridor;

import io.agentprm.api.env.Task;
import io.agentprm.api.run.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The doors from the desk on, and the colour of the right one; made from its task. */
record Corridor(List<String> doors, String right) {
    static final List<String> COLOURS =
            List.of("red", "blue", "green", "white", "black", "brown", "yellow", "grey");

    static Corridor of(Task task, int doors) {
        RandomGenerator random = RandomSource.of(2026).derive(task.id()).generator();
        List<String> left = new ArrayList<>(COLOURS);
        List<String> chosen = new ArrayList<>();
        for (int i = 0; i < doors; i++) {
            chosen.add(left.remove(random.nextInt(left.size())));
        }
        return new Corridor(List.copyOf(chosen), chosen.get(random.nextInt(doors)));
    }
}
