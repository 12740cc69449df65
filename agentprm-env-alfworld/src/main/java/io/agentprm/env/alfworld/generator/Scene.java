package io.agentprm.env.alfworld.generator;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A room with its furniture. Games in it differ in things, placements and goals.
 *
 * @param kind kind of room
 * @param number number in folder names, unique over kinds and splits
 * @param pieces the furniture
 */
record Scene(RoomKind kind, int number, List<Piece> pieces) {
    Scene {
        pieces = List.copyOf(pieces);
    }

    List<Piece> pieces(String type) {
        return pieces.stream().filter(piece -> piece.type().equals(type)).toList();
    }

    boolean has(String type) {
        return pieces.stream().anyMatch(piece -> piece.type().equals(type));
    }

    /**
     * What the agent is told about the room at the start, up to order: how many receptacles of
     * which class. Scenes with equal layouts look alike.
     */
    String layout() {
        Map<String, Integer> counts = new TreeMap<>();
        pieces.forEach(piece -> counts.merge(piece.type(), 1, Integer::sum));
        return counts.toString();
    }
}
