package io.agentprm.env.alfworld.engine;

/** Where each set of objects lies in the array of words that is the state of a compiled game. */
final class Layout {
    /** Words of one set of objects. */
    final int words;

    private final int receptacles;
    private final int taken;
    private final int located;

    final int clean;
    final int hot;
    final int cool;
    final int sliced;
    final int toggled;
    final int on;

    /** Set of receptacles. */
    final int opened;

    private final int size;

    Layout(int receptacles, int objects, int locations) {
        this.words = Bits.words(objects);
        this.receptacles = receptacles;
        this.taken = receptacles * words;
        this.located = 2 * taken;
        this.clean = located + locations * words;
        this.hot = clean + words;
        this.cool = hot + words;
        this.sliced = cool + words;
        this.toggled = sliced + words;
        this.on = toggled + words;
        this.opened = on + words;
        this.size = opened + Bits.words(receptacles);
    }

    /** Objects in a receptacle. */
    int contents(int receptacle) {
        return receptacle * words;
    }

    /** Objects taken out of a receptacle and not put back. */
    int takenFrom(int receptacle) {
        return taken + receptacle * words;
    }

    /** Objects at a location. */
    int objectsAt(int location) {
        return located + location * words;
    }

    int receptacles() {
        return receptacles;
    }

    int size() {
        return size;
    }
}
