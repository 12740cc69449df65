package io.agentprm.env.webshop.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.lucene.index.SortedDocValues;

/** The best documents so far; of those with the same score the first ones by id. */
final class TopHits {
    private static final Comparator<Scored> WORST_FIRST =
            Comparator.comparingDouble(Scored::score)
                    .thenComparing(Comparator.comparingInt(Scored::place).reversed());

    private final int most;
    private final PriorityQueue<Scored> hits;

    TopHits(int most) {
        this.most = most;
        this.hits = new PriorityQueue<>(most + 1, WORST_FIRST);
    }

    /**
     * A document.
     *
     * @param place its place in the order of ids
     */
    record Scored(int document, float score, int place) {}

    /** Score that a document must reach to be among them. */
    float bar() {
        return hits.size() < most ? 0 : hits.element().score();
    }

    /**
     * Takes a document in if it is good enough.
     *
     * @param ids gives places; documents are offered in the order in which it goes
     */
    void offer(int document, float score, SortedDocValues ids) throws IOException {
        if (score < bar()) {
            return;
        }
        ids.advanceExact(document);
        hits.add(new Scored(document, score, ids.ordValue()));
        if (hits.size() > most) {
            hits.remove();
        }
    }

    List<Scored> bestFirst() {
        List<Scored> sorted = new ArrayList<>(hits);
        sorted.sort(WORST_FIRST.reversed());
        return sorted;
    }
}
