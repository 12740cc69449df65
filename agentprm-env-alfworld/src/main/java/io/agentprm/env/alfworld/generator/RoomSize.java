package io.agentprm.env.alfworld.generator;

/** How crowded rooms are. */
public enum RoomSize {
    /** As in the released games: 23 receptacles and 32 objects in them on average. */
    STANDARD(0, 0),
    /** 7 to 9 receptacles and at most 12 objects: short texts, quickly learned. */
    SMALL(9, 12);

    private final int receptacles;
    private final int objects;

    RoomSize(int receptacles, int objects) {
        this.receptacles = receptacles;
        this.objects = objects;
    }

    /** Largest number of receptacles; 0 for no limit. */
    int receptacles() {
        return receptacles;
    }

    /** Largest number of objects; 0 for no limit. */
    int objects() {
        return objects;
    }
}
