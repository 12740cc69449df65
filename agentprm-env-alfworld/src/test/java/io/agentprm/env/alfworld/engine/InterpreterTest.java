package io.agentprm.env.alfworld.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.pddl.Domain;
import io.agentprm.env.alfworld.pddl.DomainReader;
import io.agentprm.env.alfworld.pddl.Problem;
import io.agentprm.env.alfworld.pddl.ProblemReader;
import io.agentprm.env.alfworld.pddl.Source;
import io.agentprm.env.alfworld.twl2.Grammar;
import io.agentprm.env.alfworld.twl2.GrammarReader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The interpreter plays games that have nothing to do with households. */
class InterpreterTest {
    private static final String DOMAIN =
            """
            (define (domain lights) ; a comment
              (:requirements :adl)
              (:types room lamp - thing thing)
              (:predicates (at ?r - room) (next ?a - room ?b - room) (in ?l - lamp ?r - room)
                           (lit ?l - lamp) (broken ?l - lamp))
              (:functions (total-cost) - number)
              (:action walk
                :parameters (?from - room ?to - room)
                :precondition (and (at ?from) (or (next ?from ?to) (= ?from ?to)))
                :effect (and (not (at ?from)) (at ?to) (increase (total-cost) 1)))
              (:action switch
                :parameters (?l - lamp)
                :precondition (exists (?r - room) (and (at ?r) (in ?l ?r)))
                :effect (and (when (lit ?l) (not (lit ?l)))
                             (when (and (not (lit ?l)) (not (broken ?l))) (lit ?l))))
              (:action dream
                :parameters (?l - lamp)
                :precondition (or (exists (?r - room, ?s - room) (and (at ?r) (next ?r ?s)))
                                  (forall (?m - lamp) (lit ?m)))
                :effect (broken ?l)))
            """;

    private static final String PROBLEM =
            """
            (define (problem one) (:domain lights)
              (:objects Hall_bar_1 Hall_bar_2 - room Lamp_bar_1 Lamp_bar_2 Lamp_bar_3 - lamp)
              (:init (at Hall_bar_1) (next Hall_bar_1 Hall_bar_2) (next Hall_bar_2 Hall_bar_1)
                     (in Lamp_bar_1 Hall_bar_1) (in Lamp_bar_2 Hall_bar_1) (in Lamp_bar_3 Hall_bar_2))
              (:goal (forall (?l - lamp) (imply (in ?l Hall_bar_1) (lit ?l)))))
            """;

    private static final String GRAMMAR =
            """
            # a comment
            grammar :: \"""
                {
                    "intro": [{"rhs": "  You see [{l.indefinite + ' ' + l.name | in(l:lamp, r:room)}]. #task#"}],
                    "task": [{"rhs": "Your task is to: light the hall."}],
                    "glow": [
                        {"condition": "lit(l:lamp)", "rhs": "{l} glows"},
                        {"condition": "not_lit(l:lamp)", "rhs": "{l} is dark again"},
                        {"rhs": "{l} stays dark"}
                    ],
                    "list_empty": [{"rhs": "nothing"}],
                    "list_separator": [{"rhs": ", "}],
                    "list_last_separator": [{"rhs": ", and "}]
                }
            \""";
            action walk {
                template :: "walk to [{to.name | next(from:room, to:room)}]";
                feedback :: "Lamps: [{l.name | in(l:lamp, to:room)}]";
            }
            action switch { template :: "switch {l}"; feedback :: "#glow# and { l.id }; lost"; }
            action dream { template :: "dream of {l}"; feedback :: "{#glow# | in(l:lamp, r:room)}"; }
            """;

    @Test
    void theFirstObservationIsWrittenWithNothingBound() {
        assertEquals(
                "You see a lamp 3, a lamp 2, and a lamp 1. Your task is to: light the hall.",
                open(GRAMMAR).reset());
    }

    @Test
    void anOperatorThatWouldChangeNothingIsNotOffered() {
        assertEquals(
                List.of("switch lamp 2", "switch lamp 3", "walk to hall 1"),
                open(GRAMMAR).admissible());
    }

    @Test
    void aTypeNameWithACommaHasNoMembers() {
        GameSession session = open(GRAMMAR);
        assertFalse(session.admissible().contains("dream of lamp 1"));
    }

    @Test
    void aConditionForAllHoldsOnceTheLastOneDoes() {
        GameSession session = open(GRAMMAR);
        session.step("switch lamp 3");
        session.step("switch lamp 2");
        session.step("walk to hall 1");
        session.step("switch lamp 1");
        assertTrue(
                session.admissible().contains("dream of lamp 1"), session.admissible()::toString);
    }

    @Test
    void deletedFactsLeaveTheirNegationForTheText() {
        GameSession session = open(GRAMMAR);
        assertEquals("lamp 3 glows and lamp_bar_1", session.step("switch lamp 3"));
        // The text facts ignore conditions: the last effect in order decides.
        assertEquals("lamp 3 glows and lamp_bar_1", session.step(" switch lamp 3\n"));
    }

    @Test
    void conditionalEffectsLookAtTheStateBefore() {
        GameSession session = open(GRAMMAR);
        session.step("switch lamp 3");
        session.step("switch lamp 2");
        assertTrue(session.won());
        session.step("switch lamp 2");
        assertFalse(session.won());
    }

    @Test
    void queriesListSolutionsInTheOrderOfIds() {
        GameSession session = open(GRAMMAR);
        assertEquals("Lamps: lamp 1", session.step("walk to hall 1"));
        assertEquals("Lamps: lamp 3, and lamp 2", session.step("walk to hall 2"));
    }

    @Test
    void otherCommandsDoNothing() {
        GameSession session = open(GRAMMAR);
        for (String command : List.of("", "Switch lamp 3", "switch lamp 1", "fly")) {
            List<String> before = session.admissible();
            assertEquals("Nothing happens.", session.step(command));
            assertFalse(session.accepted());
            assertEquals(before, session.admissible());
        }
    }

    @Test
    void whiteSpaceIsWhatPythonTakesForIt() {
        assertEquals("look", CommandText.strip("\u00a0\u2003\t look\u0085\u001f\n"));
        assertEquals("\u200blook", CommandText.strip("\u200blook"));
    }

    @Test
    void anUnknownExpressionIsNamed() {
        AlfworldException e =
                assertThrows(
                        AlfworldException.class,
                        () -> open(GRAMMAR.replace("{ l.id }", "{l.weight}")));
        assertTrue(e.getMessage().contains("action switch, feedback"), e.getMessage());
        assertTrue(e.getMessage().contains("unknown attribute 'weight'"), e.getMessage());
    }

    @Test
    void anUnknownPredicateIsNamedWithItsPlace() {
        AlfworldException e =
                assertThrows(
                        AlfworldException.class,
                        () ->
                                DomainReader.read(
                                        new Source(
                                                "d.pddl",
                                                DOMAIN.replace("(broken ?l)))", "(bent ?l)))"))));
        assertTrue(e.getMessage().startsWith("d.pddl, line 15, column 49"), e.getMessage());
        assertTrue(e.getMessage().contains("'bent'"), e.getMessage());
    }

    @Test
    void anUndeclaredVariableIsNamed() {
        AlfworldException e =
                assertThrows(
                        AlfworldException.class,
                        () ->
                                DomainReader.read(
                                        new Source(
                                                "d.pddl",
                                                DOMAIN.replace("(broken ?l)))", "(broken ?x)))"))));
        assertTrue(e.getMessage().contains("?x is not declared"), e.getMessage());
    }

    @Test
    void aTextThatIsCutOffNamesTheOpenParenthesis() {
        AlfworldException e =
                assertThrows(
                        AlfworldException.class,
                        () -> DomainReader.read(new Source("d.pddl", DOMAIN.substring(0, 60))));
        assertTrue(e.getMessage().contains("is never closed"), e.getMessage());
    }

    private static GameSession open(String grammarText) {
        Domain domain = DomainReader.read(new Source("lights.pddl", DOMAIN));
        Problem problem =
                ProblemReader.read(new Source("one.pddl", PROBLEM), domain, symbol -> symbol);
        Grammar grammar = GrammarReader.read(new Source("lights.twl2", grammarText));
        return new InterpretedWorld(domain, problem, grammar).open("");
    }
}
