package io.agentprm.lm.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Action;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.SampledTokens;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplyFormatTest {
    private static final ReplyFormat PLAIN = ReplyFormat.plain();
    private static final ReplyFormat LABELLED = ReplyFormat.labelled();
    private static final ReplyFormat TAGGED = ReplyFormat.tagged();

    @Test
    void whatAFormatWritesItReads() {
        for (ReplyFormat format : List.of(LABELLED, TAGGED)) {
            String reply =
                    format.write(Optional.of("It may be cold.\nLook there."), "open fridge 1");
            assertEquals(
                    new ParsedReply.Parsed(
                            Optional.of("It may be cold.\nLook there."), "open fridge 1"),
                    format.parse(reply));
        }
        for (ReplyFormat format : List.of(PLAIN, LABELLED, TAGGED)) {
            assertEquals(action("look"), format.parse(format.write(Optional.empty(), "look")));
        }
    }

    @Test
    void aCallInWordsHasABlankBeforeItsArgument() {
        ReplyFormat format = ReplyFormat.call();
        assertEquals("click red", format.write(Optional.empty(), "click[red]"));
        for (String action :
                List.of("click[red]", "click[a [b] c]", "search[a  |  b]", "click[< prev]")) {
            assertEquals(action(action), format.parse(format.write(Optional.empty(), action)));
        }
        assertEquals(action("look"), format.parse("look"));
        assertRejected("expected one line, found 2", format.parse("I think\nclick red"));
    }

    @Test
    void thoughtsAndChatterAroundALineAreNotExecuted() {
        assertRejected(
                "expected one line, found 3",
                PLAIN.parse("> think: I need a bowl\n> go to drawer 1\nOK."));
        assertEquals(action("go to drawer 1"), PLAIN.parse("> go to drawer 1"));
        assertEquals(action("go to drawer 1"), PLAIN.parse("\n  go to drawer 1 \n"));
        assertRejected("expected one line, found 0", PLAIN.parse(" \n"));
        assertRejected("no action", PLAIN.parse(">"));
    }

    @Test
    void aClosingTagBeforeTheOpeningOneIsText() {
        assertEquals(
                new ParsedReply.Parsed(Optional.of("</action> hmm"), "look"),
                TAGGED.parse("</action> hmm <action>look</action>"));
    }

    @Test
    void actionsOutsideOfTheAdmissibleListAreRejected() {
        assertRejected(
                "not admissible: fly",
                TAGGED.within(List.of("look")).parse("<action>fly</action>"));
        assertEquals(action("look"), PLAIN.within(List.of("look")).parse("look"));
    }

    @Test
    void noSubstringOfFreeTextIsEverTaken() {
        assertRejected("no <action>", TAGGED.parse("I would go to the fridge and open fridge 1"));
        assertRejected("no <action>", TAGGED.parse("<action>open fridge 1"));
        assertRejected("more than one", TAGGED.parse("<action>a</action> or <action>b</action>"));
        assertRejected("one line", TAGGED.parse("<action> </action>"));
        assertRejected("found 0", LABELLED.parse("I open the fridge"));
        assertRejected("found 0", LABELLED.parse("My ACTION: would be to look"));
        assertRejected("found 2", LABELLED.parse("ACTION:\nlook\nACTION:\ninventory"));
        assertRejected("no action after", LABELLED.parse("REASON:\nwell\nACTION:\n\n"));
    }

    @Test
    void labelledRepliesTakeTheLineAfterTheLabelAndNothingBehindIt() {
        assertEquals(
                new ParsedReply.Parsed(Optional.of("Cold."), "open fridge 1"),
                LABELLED.parse("REASON:\nCold.\nACTION:\nopen fridge 1\nOK."));
        assertEquals(action("look"), LABELLED.parse("ACTION: look"));
    }

    @Test
    void aReplyThatCannotBeParsedKeepsItsTextAndTokens() {
        SampledTokens tokens = SampledTokens.of(new int[] {4, 5}, new double[] {-1, -2}, 1);
        Decision decision = LABELLED.decision("just look", Optional.of(tokens));
        assertEquals("", decision.action().text());
        assertEquals("just look", decision.text());
        assertTrue(decision.parseFailure().isPresent());
        assertEquals(2, decision.tokens().orElseThrow().length());
        assertEquals("just look", LABELLED.text(decision));
    }

    @Test
    void aDemonstrationIsWrittenInTheFormatAndASampledReplyAsItWas() {
        Decision demonstration =
                Decision.builder(Action.text("look")).reason("Nothing known yet.").build();
        assertEquals("REASON:\nNothing known yet.\nACTION:\nlook", LABELLED.text(demonstration));
        assertEquals("look", PLAIN.text(demonstration));
        Decision sampled = LABELLED.decision("ACTION:   look", Optional.empty());
        assertEquals("ACTION:   look", LABELLED.text(sampled));
    }

    private static ParsedReply action(String action) {
        return new ParsedReply.Parsed(Optional.empty(), action);
    }

    private static void assertRejected(String why, ParsedReply actual) {
        assertTrue(
                actual instanceof ParsedReply.Rejected r && r.why().contains(why),
                actual.toString());
    }
}
