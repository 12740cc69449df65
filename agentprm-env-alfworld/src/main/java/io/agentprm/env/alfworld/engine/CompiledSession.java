package io.agentprm.env.alfworld.engine;

import io.agentprm.env.alfworld.pddl.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Plays a compiled game. What each command does is written out here, on bits. */
final class CompiledSession implements GameSession {
    private static final int NOBODY = -1;

    /** Predicates whose facts this session tracks; all others never change. */
    private static final Set<String> CHANGING =
            Set.of(
                    "atlocation",
                    "inreceptacle",
                    "objectatlocation",
                    "isclean",
                    "ishot",
                    "iscool",
                    "issliced");

    private final CompiledWorld world;
    private final Layout layout;
    private final String taskSentence;
    private final long[] state;
    private final CommandList commands;
    private final StringBuilder text = new StringBuilder(256);
    private final int[] members;
    private int location;
    private int held;
    private boolean accepted = true;
    private boolean won;

    CompiledSession(CompiledWorld world, String taskSentence) {
        this.world = world;
        this.layout = world.layout;
        this.taskSentence = taskSentence;
        this.state = new long[layout.size()];
        this.commands = new CommandList();
        this.members = new int[world.objectName.length];
        start();
    }

    private CompiledSession(CompiledSession other) {
        this.world = other.world;
        this.layout = other.layout;
        this.taskSentence = other.taskSentence;
        this.state = other.state.clone();
        this.commands = new CommandList();
        this.members = new int[other.members.length];
        this.location = other.location;
        this.held = other.held;
        this.accepted = other.accepted;
        this.won = other.won;
        listCommands();
    }

    @Override
    public String reset() {
        start();
        text.setLength(0);
        text.append("-= Welcome to TextWorld, ALFRED! =-\n\n");
        if (world.atById[location].length > 0) {
            appendFacing();
        } else {
            text.append("You are in the middle of a room. Looking quickly around you, you see ");
            text.append(world.allReceptacles).append('.');
        }
        return text.append("\n\n").append(taskSentence).toString();
    }

    private void start() {
        System.arraycopy(world.initial, 0, state, 0, state.length);
        location = world.start;
        held = NOBODY;
        accepted = true;
        settle();
    }

    @Override
    public String step(String command) {
        int index = commands.find(CommandText.strip(command));
        accepted = index >= 0;
        if (!accepted) {
            return NOTHING_HAPPENS;
        }
        text.setLength(0);
        int first = commands.first(index);
        int second = commands.second(index);
        switch (commands.verb(index)) {
            case LOOK -> appendLook();
            case INVENTORY -> appendInventory();
            case HELP -> text.append(Dialect.HELP_TEXT);
            case EXAMINE_RECEPTACLE -> appendContent(first);
            case EXAMINE_OBJECT -> appendAppearance(first);
            case GO -> go(first);
            case OPEN -> open(first);
            case CLOSE -> close(first);
            case TAKE -> take(first, second);
            case PUT -> put(first, second);
            case CLEAN -> {
                Bits.set(state, layout.clean, first);
                appendTreatment("You clean the ", first, second);
            }
            case HEAT -> {
                Bits.set(state, layout.hot, first);
                Bits.clear(state, layout.cool, first);
                appendTreatment("You heat the ", first, second);
            }
            case COOL -> {
                Bits.set(state, layout.cool, first);
                Bits.clear(state, layout.hot, first);
                appendTreatment("You cool the ", first, second);
            }
            case USE -> use(first);
            case SLICE -> slice(first, second);
        }
        return text.toString();
    }

    private void go(int receptacle) {
        location = world.receptacleLocation[receptacle];
        settle();
        text.append("You arrive at ")
                .append(
                        world.dialect.arrivesAtLocation
                                ? world.locationName[location]
                                : world.receptacleName[receptacle])
                .append(". ");
        appendContent(receptacle);
    }

    private void open(int receptacle) {
        Bits.set(state, layout.opened, receptacle);
        settle();
        text.append("You open the ").append(world.receptacleName[receptacle]).append(". ");
        appendContent(receptacle);
    }

    private void close(int receptacle) {
        Bits.clear(state, layout.opened, receptacle);
        settle();
        text.append("You close the ").append(world.receptacleName[receptacle]).append('.');
    }

    private void take(int object, int receptacle) {
        Bits.clear(state, layout.contents(receptacle), object);
        Bits.set(state, layout.takenFrom(receptacle), object);
        Bits.clear(state, layout.objectsAt(location), object);
        held = object;
        settle();
        text.append("You pick up the ")
                .append(world.objectName[object])
                .append(" from the ")
                .append(world.receptacleName[receptacle])
                .append('.');
    }

    private void put(int object, int receptacle) {
        Bits.set(state, layout.contents(receptacle), object);
        Bits.clear(state, layout.takenFrom(receptacle), object);
        Bits.set(state, layout.objectsAt(location), object);
        held = NOBODY;
        settle();
        text.append(world.dialect.putDone)
                .append(world.objectName[object])
                .append(world.dialect.putDoneInto)
                .append(world.receptacleName[receptacle])
                .append('.');
    }

    private void use(int object) {
        Bits.set(state, layout.toggled, object);
        if (Bits.get(state, layout.on, object)) {
            Bits.clear(state, layout.on, object);
        } else {
            Bits.set(state, layout.on, object);
        }
        judge();
        text.append("You turn on the ").append(world.objectName[object]).append('.');
    }

    private void slice(int object, int tool) {
        Bits.set(state, layout.sliced, object);
        judge();
        text.append("You sliced the ")
                .append(world.objectName[object])
                .append(" with the ")
                .append(world.objectName[tool])
                .append('.');
    }

    private void appendTreatment(String start, int object, int receptacle) {
        judge();
        text.append(start)
                .append(world.objectName[object])
                .append(" using the ")
                .append(world.receptacleName[receptacle])
                .append('.');
    }

    private void appendInventory() {
        if (held == NOBODY) {
            text.append("You are not carrying anything.");
        } else {
            text.append("You are carrying: a ").append(world.objectName[held]).append('.');
        }
    }

    private void appendLook() {
        if (world.atById[location].length == 0) {
            text.append(
                    "You are in the middle of a room. Looking quickly around you, you see nothing.");
        } else {
            appendFacing();
        }
    }

    private void appendFacing() {
        int[] here = world.atById[location];
        text.append("You are facing the ");
        for (int i = 0; i < here.length; i++) {
            Sentences.separate(text, i, here.length);
            text.append(world.receptacleName[here[i]]);
        }
        text.append(". Next to it, you see ");
        appendFloor(here);
        text.append('.');
    }

    /** Objects at this location that were taken out of a receptacle here and not put back. */
    private void appendFloor(int[] here) {
        int total = 0;
        for (int receptacle : here) {
            for (int word = 0; word < layout.words; word++) {
                total += Long.bitCount(besides(receptacle, word));
            }
        }
        if (total == 0) {
            text.append("nothing");
            return;
        }
        int written = 0;
        for (int object = 0; object < world.objectName.length; object++) {
            for (int receptacle : here) {
                if ((besides(receptacle, object >> 6) >>> object & 1) != 0) {
                    Sentences.separate(text, written++, total);
                    text.append("a ").append(world.objectName[object]);
                }
            }
        }
    }

    private long besides(int receptacle, int word) {
        return state[layout.takenFrom(receptacle) + word]
                & state[layout.objectsAt(location) + word];
    }

    private void appendContent(int receptacle) {
        String name = world.receptacleName[receptacle];
        if (!world.openable[receptacle]) {
            text.append("On the ").append(name).append(", you see ");
        } else if (Bits.get(state, layout.opened, receptacle)) {
            text.append("The ").append(name).append(" is open. In it, you see ");
        } else {
            text.append("The ").append(name).append(" is closed.");
            return;
        }
        int count = collect(layout.contents(receptacle));
        if (count == 0) {
            text.append("nothing");
        }
        for (int i = 0; i < count; i++) {
            Sentences.separate(text, i, count);
            text.append("a ").append(world.objectName[members[i]]);
        }
        text.append('.');
    }

    private void appendAppearance(int object) {
        String name = world.objectName[object];
        if (Bits.get(world.isReceptacle, 0, object)) {
            text.append("This is a normal ")
                    .append(name)
                    .append(". In it, you see ")
                    .append(world.inside[object])
                    .append('.');
            return;
        }
        boolean clean = Bits.get(state, layout.clean, object);
        boolean hot = Bits.get(state, layout.hot, object);
        boolean cool = Bits.get(state, layout.cool, object);
        boolean sliced = Bits.get(state, layout.sliced, object);
        String temperature = hot ? "hot" : cool ? "cool" : "";
        if (sliced && clean && !temperature.isEmpty()) {
            text.append("This is a ").append(temperature).append(" and clean sliced ");
        } else if (sliced && clean) {
            text.append("This is a clean sliced ");
        } else if (sliced && !temperature.isEmpty()) {
            text.append("This is a ").append(temperature).append(" sliced ");
        } else if (clean && !temperature.isEmpty()) {
            text.append("This is a ").append(temperature).append(" and clean ");
        } else if (hot) {
            text.append("This is a hot ");
        } else if (clean) {
            text.append("This is a clean ");
        } else if (cool) {
            text.append("This is a cold ");
        } else if (Bits.get(world.toggleable, 0, object)
                && Bits.get(state, layout.toggled, object)) {
            text.append("This ").append(name).append(" is on.");
            return;
        } else if (sliced && Bits.get(world.sliceable, 0, object)) {
            text.append("This is a sliced ");
        } else {
            text.append("There's nothing special about ");
        }
        text.append(name).append('.');
    }

    /** Writes the members of a set into {@link #members} by id and returns how many there are. */
    private int collect(int from) {
        int count = 0;
        for (int word = 0; word < layout.words; word++) {
            for (long bits = state[from + word]; bits != 0; bits &= bits - 1) {
                members[count++] = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
            }
        }
        return count;
    }

    private void settle() {
        listCommands();
        judge();
    }

    private void judge() {
        won = world.goal.holds(state, location, held);
    }

    /** Lists what can be done, verb by verb, which is the order in which the texts sort. */
    private void listCommands() {
        commands.clear();
        int[] here = world.atByName[location];
        if (held != NOBODY) {
            treat(Verb.CLEAN, world.cleanable, world.basin, here);
        }
        for (int receptacle : here) {
            if (world.openable[receptacle] && Bits.get(state, layout.opened, receptacle)) {
                add(Verb.CLOSE, receptacle);
            }
        }
        if (held != NOBODY) {
            treat(Verb.COOL, world.coolable, world.fridge, here);
        }
        listExaminations(here);
        for (int receptacle : world.byName) {
            if (world.receptacleLocation[receptacle] != location) {
                add(Verb.GO, receptacle);
            }
        }
        if (held != NOBODY) {
            treat(Verb.HEAT, world.heatable, world.microwave, here);
        }
        if (world.dialect.helps) {
            commands.add("help", Verb.HELP, 0, 0);
        }
        commands.add("inventory", Verb.INVENTORY, 0, 0);
        commands.add("look", Verb.LOOK, 0, 0);
        boolean movesFirst = world.dialect.put.compareTo("open") < 0;
        if (movesFirst) {
            listPlaces(here);
        }
        for (int receptacle : here) {
            if (world.openable[receptacle] && !Bits.get(state, layout.opened, receptacle)) {
                add(Verb.OPEN, receptacle);
            }
        }
        if (!movesFirst) {
            listPlaces(here);
        }
        if (held != NOBODY && world.knife[held]) {
            listSlices();
        } else if (held == NOBODY) {
            listThings(here);
        }
        listLamps(here);
        commands.seal();
    }

    private void treat(Verb verb, long[] property, boolean[] appliance, int[] here) {
        for (int receptacle : here) {
            if (appliance[receptacle] && Bits.get(property, 0, held)) {
                add(verb, held, receptacle);
            }
        }
    }

    private void listExaminations(int[] here) {
        boolean pending = held != NOBODY;
        for (int receptacle : here) {
            if (pending && world.objectName[held].compareTo(world.receptacleName[receptacle]) < 0) {
                commands.add(
                        world.commands.of(Verb.EXAMINE_OBJECT, held), Verb.EXAMINE_OBJECT, held, 0);
                pending = false;
            }
            add(Verb.EXAMINE_RECEPTACLE, receptacle);
        }
        if (pending) {
            add(Verb.EXAMINE_OBJECT, held);
        }
    }

    private void listPlaces(int[] here) {
        if (held == NOBODY) {
            return;
        }
        for (int receptacle : here) {
            if (isAccessible(receptacle)
                    && Bits.get(world.holdable, receptacle * layout.words, held)) {
                add(Verb.PUT, held, receptacle);
            }
        }
    }

    private void listSlices() {
        int count = 0;
        long[] sliceable = world.sliceable;
        for (int word = 0; word < layout.words; word++) {
            long bits = state[layout.objectsAt(location) + word] & sliceable[word];
            count = collectRanks(bits, word, count);
        }
        sortMembers(count);
        for (int i = 0; i < count; i++) {
            add(Verb.SLICE, world.objectByRank[members[i]], held);
        }
    }

    private void listThings(int[] here) {
        long[] pickupable = world.pickupable;
        int count = 0;
        for (int word = 0; word < layout.words; word++) {
            long bits = 0;
            for (int receptacle : here) {
                if (isAccessible(receptacle)) {
                    bits |= state[layout.contents(receptacle) + word];
                }
            }
            count = collectRanks(bits & pickupable[word], word, count);
        }
        sortMembers(count);
        for (int i = 0; i < count; i++) {
            int object = world.objectByRank[members[i]];
            for (int receptacle : here) {
                if (isAccessible(receptacle)
                        && Bits.get(state, layout.contents(receptacle), object)) {
                    add(Verb.TAKE, object, receptacle);
                }
            }
        }
    }

    private void listLamps(int[] here) {
        long[] toggleable = world.toggleable;
        int count = 0;
        for (int word = 0; word < layout.words; word++) {
            long bits = 0;
            for (int receptacle : here) {
                bits |= state[layout.contents(receptacle) + word];
            }
            count = collectRanks(bits & toggleable[word], word, count);
        }
        sortMembers(count);
        for (int i = 0; i < count; i++) {
            add(Verb.USE, world.objectByRank[members[i]]);
        }
    }

    private int collectRanks(long set, int word, int count) {
        int next = count;
        for (long bits = set; bits != 0; bits &= bits - 1) {
            members[next++] = world.nameRank[word * Long.SIZE + Long.numberOfTrailingZeros(bits)];
        }
        return next;
    }

    /** Insertion sort: there are a handful, and ids come in nearly the reverse order of names. */
    private void sortMembers(int count) {
        for (int i = 1; i < count; i++) {
            int member = members[i];
            int j = i - 1;
            while (j >= 0 && members[j] > member) {
                members[j + 1] = members[j];
                j--;
            }
            members[j + 1] = member;
        }
    }

    private boolean isAccessible(int receptacle) {
        return !world.openable[receptacle] || Bits.get(state, layout.opened, receptacle);
    }

    private void add(Verb verb, int thing) {
        commands.add(world.commands.of(verb, thing), verb, thing, 0);
    }

    private void add(Verb verb, int object, int other) {
        commands.add(world.commands.of(verb, object, other), verb, object, other);
    }

    @Override
    public List<String> admissible() {
        return commands.texts();
    }

    @Override
    public boolean accepted() {
        return accepted;
    }

    @Override
    public boolean won() {
        return won;
    }

    @Override
    public GameSession copy() {
        return new CompiledSession(this);
    }

    @Override
    public void forEachFact(Problem.FactVisitor visitor) {
        world.problem.forEachFact(
                (predicate, arguments) -> {
                    if (!CHANGING.contains(predicate)) {
                        visitor.visit(predicate, arguments);
                    }
                });
        visitor.visit("atlocation", new int[] {world.agent, world.locationEntity[location]});
        if (held != NOBODY) {
            visitor.visit("holds", new int[] {world.agent, world.objectEntity[held]});
            visitor.visit("holdsany", new int[] {world.agent});
        }
        for (int r = 0; r < world.receptacleEntity.length; r++) {
            if (Bits.get(state, layout.opened, r)) {
                visitor.visit("opened", new int[] {world.receptacleEntity[r]});
            }
            visitPairs(visitor, "inreceptacle", layout.contents(r), world.receptacleEntity[r]);
        }
        for (int l = 0; l < world.locationEntity.length; l++) {
            visitPairs(visitor, "objectatlocation", layout.objectsAt(l), world.locationEntity[l]);
        }
        visitSet(visitor, "isclean", layout.clean);
        visitSet(visitor, "ishot", layout.hot);
        visitSet(visitor, "iscool", layout.cool);
        visitSet(visitor, "issliced", layout.sliced);
        visitSet(visitor, "istoggled", layout.toggled);
        visitSet(visitor, "ison", layout.on);
    }

    private void visitPairs(Problem.FactVisitor visitor, String predicate, int from, int second) {
        int[] objects = Arrays.copyOf(members, collect(from));
        for (int object : objects) {
            visitor.visit(predicate, new int[] {world.objectEntity[object], second});
        }
    }

    private void visitSet(Problem.FactVisitor visitor, String predicate, int from) {
        int[] objects = Arrays.copyOf(members, collect(from));
        for (int object : objects) {
            visitor.visit(predicate, new int[] {world.objectEntity[object]});
        }
    }
}
