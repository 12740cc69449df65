package io.agentprm.env.alfworld.expert;

import io.agentprm.env.alfworld.household.Treatment;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What somebody who read the observations so far knows about the room. It follows the texts alone,
 * so it is right whoever chose the actions.
 */
final class Memory {
    private final Set<String> receptacles = new LinkedHashSet<>();
    private final Map<String, Set<String>> contents = new LinkedHashMap<>();
    private final Map<String, Set<Treatment>> treated = new HashMap<>();
    private final Set<String> closed = new HashSet<>();
    private Optional<String> held = Optional.empty();

    /** What follows from these observations, the first one of the episode included. */
    static Memory of(List<String> observations) {
        Memory memory = new Memory();
        observations.forEach(text -> Event.in(text).forEach(memory::learn));
        return memory;
    }

    private void learn(Event event) {
        if (event instanceof Event.Room room && receptacles.isEmpty()) {
            receptacles.addAll(room.receptacles());
        } else if (event instanceof Event.Contents seen) {
            contents.put(seen.receptacle(), new LinkedHashSet<>(seen.things()));
            closed.remove(seen.receptacle());
        } else if (event instanceof Event.Closed shut) {
            closed.add(shut.receptacle());
        } else if (event instanceof Event.Taken taken) {
            held = Optional.of(taken.thing());
            contents.values().forEach(things -> things.remove(taken.thing()));
        } else if (event instanceof Event.Put put) {
            held = Optional.empty();
            contents.computeIfAbsent(put.receptacle(), name -> new LinkedHashSet<>())
                    .add(put.thing());
        } else if (event instanceof Event.Treated done) {
            Set<Treatment> sofar =
                    treated.computeIfAbsent(done.thing(), name -> EnumSet.noneOf(Treatment.class));
            sofar.removeAll(done.treatment().undoes());
            sofar.add(done.treatment());
        }
    }

    /** Class of a displayed name: {@code drawer} of {@code drawer 3}. */
    static String classOf(String name) {
        return name.substring(0, name.indexOf(' '));
    }

    /** Number of a displayed name: 3 of {@code drawer 3}. */
    static int numberOf(String name) {
        return Integer.parseInt(name.substring(name.indexOf(' ') + 1));
    }

    /** All receptacles of the room. */
    Set<String> receptacles() {
        return receptacles;
    }

    List<String> receptacles(String type) {
        return receptacles.stream().filter(name -> classOf(name).equals(type)).toList();
    }

    /** Whether its contents have been seen. */
    boolean lookedInto(String receptacle) {
        return contents.containsKey(receptacle);
    }

    boolean knownClosed(String receptacle) {
        return closed.contains(receptacle);
    }

    /** Number of receptacles whose contents have been seen. */
    int lookedInto() {
        return contents.size();
    }

    /** Things of a class that are known to be in a receptacle. */
    List<String> in(String receptacle, String type) {
        return contents.getOrDefault(receptacle, Set.of()).stream()
                .filter(name -> classOf(name).equals(type))
                .toList();
    }

    boolean treated(String thing, Treatment treatment) {
        return treated.getOrDefault(thing, Set.of()).contains(treatment);
    }

    Optional<String> held() {
        return held;
    }
}
