package io.agentprm.algos.target;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keys by which visits are recognised as the same turn: SHA-256 over length-prefixed parts. The
 * history enters as a running hash, so a key costs the same at every turn.
 */
final class TurnKeys {
    private final McConfig config;
    private final MessageDigest digest;

    TurnKeys(McConfig config) {
        this.config = config;
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AlgorithmException("this Java run-time has no SHA-256", e);
        }
    }

    /** One key per turn. */
    List<ByteBuffer> of(Trajectory trajectory) {
        List<ByteBuffer> keys = new ArrayList<>(trajectory.length());
        byte[] history = {};
        for (Turn turn : trajectory.turns()) {
            Decision decision = turn.decision();
            add(config.poolPolicies() ? "" : trajectory.policyId());
            add(trajectory.instruction());
            add(turn.observation().text());
            if (config.grouping() == McConfig.Grouping.FULL_HISTORY) {
                digest.update(history);
                turn.observation().admissibleActions().orElse(List.of()).stream()
                        .sorted()
                        .forEach(this::add);
            }
            add(decision.action().text());
            if (config.reasonInKey()) {
                add(decision.reason().orElse(""));
            }
            keys.add(ByteBuffer.wrap(digest.digest()));
            digest.update(history);
            add(turn.observation().text());
            add(decision.action().text());
            history = digest.digest();
        }
        return keys;
    }

    private void add(String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        digest.update(bytes);
    }
}
