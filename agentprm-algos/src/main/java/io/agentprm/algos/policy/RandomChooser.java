package io.agentprm.algos.policy;

import java.util.List;

/** One of the samples that may compete, each with equal probability. */
final class RandomChooser implements Chooser {
    @Override
    public List<Choice> choose(List<Ballot> ballots) {
        return ballots.stream().map(RandomChooser::choose).toList();
    }

    private static Choice choose(Ballot ballot) {
        int total = ballot.competing().stream().mapToInt(Ballot.Entry::count).sum();
        int point = ballot.random().generator().nextInt(total);
        int winner = 0;
        while (point >= ballot.competing().get(winner).count()) {
            point -= ballot.competing().get(winner).count();
            winner++;
        }
        return Choice.unscored(winner);
    }
}
