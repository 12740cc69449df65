package io.agentprm.env.alfworld.game;

import io.agentprm.env.alfworld.pddl.Domain;
import io.agentprm.env.alfworld.pddl.DomainReader;
import io.agentprm.env.alfworld.pddl.Source;
import io.agentprm.env.alfworld.twl2.Grammar;
import io.agentprm.env.alfworld.twl2.GrammarReader;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * What many games share: domains and grammars, read once for each different text, and one instance
 * of equal ids. Thread-safe.
 */
final class Library {
    /** A domain with the hash of its text. */
    record SharedDomain(Domain domain, String hash) {}

    /**
     * A grammar with the hash of its text, both without the game's own task sentence.
     *
     * @param taskSentence of this game; empty if it could not be told apart
     */
    record SharedGrammar(Grammar grammar, String hash, Optional<String> taskSentence) {}

    private static final String TASK = "\"Your task is to: ";

    private final Map<String, SharedDomain> domains = new ConcurrentHashMap<>();
    private final Map<String, SharedGrammar> grammars = new ConcurrentHashMap<>();

    /** Hashes of grammars and domains that have been checked against each other. */
    private final Set<String> fitting = ConcurrentHashMap.newKeySet();

    private final Map<String, String> symbols = new ConcurrentHashMap<>();

    SharedDomain domain(Source source) {
        SharedDomain known = domains.get(source.text());
        if (known == null) {
            known = new SharedDomain(DomainReader.read(source), Hashes.sha256(source.text()));
            domains.putIfAbsent(source.text(), known);
        }
        return known;
    }

    /** The grammar, checked against the actions of the domain. */
    SharedGrammar grammar(Source source, SharedDomain domain) {
        String text = source.text();
        Optional<String> sentence = Optional.empty();
        int start = text.indexOf(TASK);
        int end = start < 0 ? -1 : text.indexOf('"', start + TASK.length());
        if (end > 0 && text.indexOf(TASK, end) < 0) {
            String found = text.substring(start + 1, end);
            if (found.equals(GrammarReader.plainText(found)) && found.indexOf('\\') < 0) {
                sentence = Optional.of(found);
                text = text.substring(0, start + 1) + GrammarReader.TASK_MARK + text.substring(end);
            }
        }
        SharedGrammar known = grammars.get(text);
        if (known == null) {
            Grammar grammar = GrammarReader.read(new Source(source.name(), text));
            known = new SharedGrammar(grammar, Hashes.sha256(text), Optional.empty());
            grammars.putIfAbsent(text, known);
        }
        String pair = known.hash() + domain.hash();
        if (!fitting.contains(pair)) {
            Set<String> actions =
                    domain.domain().actions().stream()
                            .map(action -> action.name())
                            .collect(Collectors.toSet());
            GrammarReader.check(known.grammar(), source.name(), actions);
            fitting.add(pair);
        }
        return new SharedGrammar(known.grammar(), known.hash(), sentence);
    }

    String intern(String symbol) {
        String known = symbols.get(symbol);
        if (known == null) {
            known = symbols.putIfAbsent(symbol, symbol);
        }
        return known == null ? symbol : known;
    }
}
