package io.agentprm.env.alfworld.twl2;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.pddl.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads a TWL2 document: blocks of rules and actions. Later rules replace earlier ones. */
public final class GrammarReader {
    /** Stands in a shared grammar where each game has a task sentence of its own. */
    public static final String TASK_MARK = "%task sentence%";

    private static final String QUOTES = "\"\"\"";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Source source;
    private final String text;
    private final Map<String, List<Alternative>> rules = new HashMap<>();
    private final Map<String, ActionText> actions = new HashMap<>();
    private int at;

    private GrammarReader(Source source) {
        this.source = source;
        this.text = source.text();
    }

    /**
     * Reads a grammar.
     *
     * @throws io.agentprm.env.alfworld.AlfworldException with the place of what is wrong
     */
    public static Grammar read(Source source) {
        return new GrammarReader(source).read();
    }

    /**
     * The part of a sentence in plain words that a grammar prints: it ends at {@code ;} and others.
     */
    public static String plainText(String sentence) {
        return TextReader.plainPrefix(sentence);
    }

    private Grammar read() {
        for (skip(); at < text.length(); skip()) {
            int start = at;
            String word = word();
            switch (word) {
                case "grammar" -> {
                    expect("::");
                    readRules(block(), start, "grammar");
                    expect(";");
                }
                case "action" -> readAction();
                default ->
                        throw source.error(
                                start, "expected 'grammar' or 'action', found '" + word + "'");
            }
        }
        requireRule(Grammar.INTRO, "as the first observation");
        requireRule(Grammar.SEPARATOR, "to join lists");
        requireRule(Grammar.LAST_SEPARATOR, "to join lists");
        requireRule(Grammar.EMPTY, "for empty lists");
        return new Grammar(rules, actions);
    }

    /**
     * Fails if text that these actions or the first observation can produce refers to a rule that
     * is not there, or if an action has no text.
     *
     * @param where names the grammar in the error
     */
    public static void check(Grammar grammar, String where, Set<String> actionNames) {
        Set<String> seen = new HashSet<>();
        checkRule(grammar, Grammar.INTRO, where, seen);
        for (String action : actionNames) {
            ActionText texts = grammar.actions().get(action);
            if (texts == null) {
                throw new AlfworldException(
                        where
                                + ": the domain's action '"
                                + action
                                + "' has no template; add action "
                                + action
                                + " { template :: ...; feedback :: ...; }");
            }
            checkPiece(grammar, texts.template(), where + ", action " + action, seen);
            checkPiece(grammar, texts.feedback(), where + ", action " + action, seen);
        }
    }

    private static void checkRule(Grammar grammar, String rule, String where, Set<String> seen) {
        List<Alternative> alternatives = grammar.rules().get(rule);
        if (alternatives == null) {
            throw new AlfworldException(
                    where + ": rule #" + rule + "# does not exist; add it to the grammar");
        }
        if (seen.add(rule)) {
            for (Alternative alternative : alternatives) {
                checkPiece(grammar, alternative.text(), where + ", rule " + rule, seen);
            }
        }
    }

    private static void checkPiece(Grammar grammar, Piece piece, String where, Set<String> seen) {
        if (piece instanceof Piece.NonTerminal nonTerminal) {
            checkRule(grammar, nonTerminal.rule(), where, seen);
        } else if (piece instanceof Piece.ForEach each) {
            checkPiece(grammar, each.item(), where, seen);
        } else if (piece instanceof Piece.Listing listing) {
            checkPiece(grammar, listing.item(), where, seen);
        } else if (piece instanceof Piece.Sequence sequence) {
            sequence.pieces().forEach(part -> checkPiece(grammar, part, where, seen));
        }
    }

    private void requireRule(String rule, String purpose) {
        if (!rules.containsKey(rule)) {
            throw source.error(
                    text.length(), "rule '" + rule + "' is needed " + purpose + "; add it");
        }
    }

    private void readAction() {
        skip();
        int start = at;
        while (at < text.length() && isNamePart(text.charAt(at))) {
            at++;
        }
        String name = text.substring(start, at);
        if (name.isEmpty()) {
            throw source.error(start, "an action needs a name");
        }
        expect("{");
        Optional<Piece> template = Optional.empty();
        Optional<Piece> feedback = Optional.empty();
        for (skip(); !text.startsWith("}", at); skip()) {
            int partStart = at;
            String part = word();
            expect("::");
            String where = source.name() + ", action " + name + ", " + part;
            switch (part) {
                case "template" -> template = Optional.of(TextReader.read(where, string()));
                case "feedback" -> feedback = Optional.of(TextReader.read(where, string()));
                case "pddl" -> block();
                case "grammar" -> readRules(dropComments(block()), partStart, "action " + name);
                default ->
                        throw source.error(
                                partStart,
                                "unknown part '"
                                        + part
                                        + "' of action "
                                        + name
                                        + "; supported are template, feedback, pddl and grammar");
            }
            expect(";");
        }
        expect("}");
        if (template.isEmpty() || feedback.isEmpty()) {
            throw source.error(start, "action " + name + " needs a template and a feedback");
        }
        actions.put(name.toLowerCase(Locale.ROOT), new ActionText(template.get(), feedback.get()));
    }

    private static boolean isNamePart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '/' || c == '-';
    }

    private static String dropComments(String block) {
        return block.lines()
                .map(line -> line.stripLeading().startsWith("#") ? "" : line)
                .collect(Collectors.joining("\n"));
    }

    private void readRules(String block, int start, String where) {
        JsonNode json;
        try {
            json = JSON.readTree(block);
        } catch (JsonProcessingException e) {
            JsonLocation location = e.getLocation();
            throw source.error(
                    start,
                    "the rules of "
                            + where
                            + " are not JSON: "
                            + e.getOriginalMessage()
                            + (location == null
                                    ? ""
                                    : " (line " + location.getLineNr() + " of the block)"),
                    e);
        }
        if (!json.isObject()) {
            throw source.error(start, "the rules of " + where + " must be a JSON object");
        }
        json.properties()
                .forEach(
                        rule ->
                                rules.put(
                                        rule.getKey(),
                                        alternatives(rule.getKey(), rule.getValue(), start)));
    }

    private List<Alternative> alternatives(String rule, JsonNode json, int start) {
        List<Alternative> alternatives = new ArrayList<>();
        for (JsonNode node : json) {
            String where = source.name() + ", rule " + rule;
            node.fieldNames()
                    .forEachRemaining(
                            key -> {
                                if (!Set.of("rhs", "condition", "weight").contains(key)) {
                                    throw source.error(
                                            start,
                                            "unknown key '"
                                                    + key
                                                    + "' in rule '"
                                                    + rule
                                                    + "'; supported are rhs, condition and weight");
                                }
                            });
            JsonNode rhs = node.path("rhs");
            if (!rhs.isTextual()) {
                throw source.error(start, "an alternative of rule '" + rule + "' has no rhs");
            }
            String condition = node.path("condition").asText("");
            alternatives.add(
                    new Alternative(
                            condition.isBlank()
                                    ? Optional.empty()
                                    : Optional.of(TextReader.readQuery(where, condition)),
                            TextReader.read(where, rhs.textValue())));
        }
        return List.copyOf(alternatives);
    }

    private String word() {
        skip();
        int start = at;
        while (at < text.length() && isNamePart(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at);
    }

    private String string() {
        expect("\"");
        int end = text.indexOf('"', at);
        if (end < 0) {
            throw source.error(at, "this string is never closed");
        }
        String value = text.substring(at, end);
        at = end + 1;
        return value;
    }

    private String block() {
        expect(QUOTES);
        int end = text.indexOf(QUOTES, at);
        if (end < 0) {
            throw source.error(at, "this block is never closed");
        }
        String value = text.substring(at, end);
        at = end + QUOTES.length();
        return value;
    }

    private void expect(String token) {
        skip();
        if (!text.startsWith(token, at)) {
            throw source.error(at, "expected " + token);
        }
        at += token.length();
    }

    private void skip() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (Character.isWhitespace(c)) {
                at++;
            } else {
                return;
            }
        }
    }
}
