package io.agentprm.lm.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Observation;
import io.agentprm.lm.text.PlainTemplate.InstructionUse;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlainTemplateTest {
    private static final Observation FIRST =
            Observation.text("A room.\n\nYour task is to: put mug in desk.\n")
                    .withAdmissibleActions(List.of("look", "go to desk 1"));

    @Test
    void theInstructionIsNotRepeatedWhereTheFirstObservationSaysIt() {
        PromptTemplate template = PlainTemplate.standard().compile();
        assertEquals(
                "A room.\n\nYour task is to: put mug in desk.>",
                template.head("put mug in desk.", FIRST, true));
        assertEquals(
                "Your task is to: put mug in desk.\nA desk.>",
                template.head("put mug in desk.", Observation.text("A desk."), true));
    }

    @Test
    void aLaterSegmentAlwaysStatesTheTask() {
        assertTrue(
                PlainTemplate.standard()
                        .compile()
                        .head("put mug in desk.", FIRST, false)
                        .startsWith("Your task is to: put mug in desk.\nA room."));
    }

    @Test
    void theInstructionCanBeForcedOrLeftOut() {
        PromptTemplate always =
                new PlainTemplate(InstructionUse.ALWAYS, "Do: ", "\n> ", false, false, List.of())
                        .compile();
        assertEquals("Do: look\nx look\n> ", always.head("look", Observation.text("x look"), true));
        PromptTemplate never =
                new PlainTemplate(InstructionUse.NEVER, "Do: ", ">", false, false, List.of())
                        .compile();
        assertEquals("x>", never.head("look", Observation.text("x"), false));
    }

    @Test
    void admissibleActionsAreListedOnRequest() {
        PromptTemplate template = PlainTemplate.standard().withAdmissibleActions(true).compile();
        assertTrue(template.turn(FIRST).endsWith("desk.\nActions: look, go to desk 1>"));
        assertEquals("Fine.>", template.turn(Observation.text("Fine.")));
    }

    @Test
    void instructionAndObservationsCanBeInLowerCaseAfterTheReplacements() {
        PromptTemplate template =
                PlainTemplate.standard()
                        .withRewrites(List.of(new Rewrite("A ", "An ")))
                        .withLowerCase(true)
                        .compile();
        assertEquals(
                "Your task is to: buy a mug\nan oak shelf>",
                template.head("Buy a MUG", Observation.text("A Oak Shelf"), false));
    }

    @Test
    void observationsCanBeShortened() {
        PromptTemplate template =
                PlainTemplate.standard()
                        .withRewrites(
                                List.of(
                                        new Rewrite(
                                                "You arrive at (.*?)\\. On the .*?, you see",
                                                "$1:"),
                                        new Rewrite("\\ba ", "")))
                        .compile();
        assertEquals(
                "desk 1: mug 1.>",
                template.turn(
                        Observation.text("You arrive at desk 1. On the desk 1, you see a mug 1.")));
    }
}
