package io.agentprm.algos.policy;

import java.util.List;

/** The action proposed most often; among equals the one proposed first. */
final class MajorityChooser implements Chooser {
    @Override
    public List<Choice> choose(List<Ballot> ballots) {
        return ballots.stream().map(MajorityChooser::choose).toList();
    }

    private static Choice choose(Ballot ballot) {
        int best = 0;
        for (int i = 1; i < ballot.competing().size(); i++) {
            if (ballot.competing().get(i).count() > ballot.competing().get(best).count()) {
                best = i;
            }
        }
        return Choice.unscored(best);
    }
}
