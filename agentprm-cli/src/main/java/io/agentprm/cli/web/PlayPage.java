package io.agentprm.cli.web;

import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.cli.game.Advice;
import io.agentprm.cli.game.Attempt;
import io.agentprm.cli.game.Playground;
import io.agentprm.cli.game.TaskChoice;
import io.agentprm.core.report.Html;
import io.agentprm.core.report.Words;
import io.agentprm.env.webshop.shop.ShopPage;
import io.agentprm.env.webshop.suite.WebshopSession;
import java.util.Locale;
import java.util.Optional;

/**
 * The page of one visitor.
 *
 * @param token proves that a form comes from this page
 * @param stamp number of the page: a form of an earlier one does nothing
 * @param note what happened, if it has to be told
 */
record PlayPage(
        Playground playground, TaskChoice choice, String token, int stamp, Optional<String> note) {
    /** The page in the middle of an episode or after its end. */
    String of(Attempt attempt, Advice advice) {
        return Frame.of(
                choice.task().id(),
                html -> {
                    header(html);
                    html.open("section", "class", "instruction")
                            .element("h1", attempt.state().instruction())
                            .close("section")
                            .line();
                    notes(html, attempt, advice);
                    attempt.finished().ifPresent(finished -> end(html, finished));
                    view(html, attempt, advice);
                    history(html, attempt.state());
                    footer(html);
                });
    }

    /** The page without an episode. */
    String empty() {
        return Frame.of(
                choice.task().id(),
                html -> {
                    header(html);
                    note.ifPresent(text -> html.element("p", text, "class", "note").line());
                    footer(html);
                });
    }

    private void header(Html html) {
        html.open("header")
                .element("b", "agentprm play ")
                .element("span", playground.environment().info().name())
                .element(
                        "span",
                        "task "
                                + choice.number()
                                + " of "
                                + choice.of()
                                + " in "
                                + choice.split()
                                + ": "
                                + choice.task().id())
                .element("span", choice.task().category())
                .close("header")
                .line();
    }

    private void notes(Html html, Attempt attempt, Advice advice) {
        note.ifPresent(text -> html.element("p", text, "class", "note").line());
        attempt.last()
                .map(result -> result.feedback())
                .filter(feedback -> feedback instanceof ActionFeedback.Invalid)
                .map(feedback -> ((ActionFeedback.Invalid) feedback).reason())
                .ifPresent(
                        reason ->
                                html.element("p", "Invalid action: " + reason, "class", "note")
                                        .line());
        advice.trouble().ifPresent(text -> html.element("p", text, "class", "note").line());
        advice.proposal().ifPresent(proposal -> proposal(html, proposal));
    }

    private static void proposal(Html html, Decision proposal) {
        html.open("p", "class", "advice").text("Proposed: ");
        if (proposal.parseFailure().isPresent()) {
            html.text("nothing, since " + proposal.parseFailure().get());
        } else {
            html.element("code", proposal.action().text());
            proposal.reason().ifPresent(reason -> html.text(" because: " + reason));
        }
        html.close("p").line();
    }

    private static void end(Html html, Trajectory finished) {
        EpisodeEnd.Terminated end = (EpisodeEnd.Terminated) finished.end();
        html.element(
                        "p",
                        String.format(
                                Locale.ROOT,
                                "%s: reward %.3f after %s (%s).",
                                end.success() ? "Success" : "No success",
                                end.outcome(),
                                Words.counted(finished.length(), "action"),
                                end.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ')),
                        "class",
                        end.success() ? "end success" : "end")
                .line();
    }

    private void view(Html html, Attempt attempt, Advice advice) {
        Buttons buttons = new Buttons(advice);
        Optional<ShopPage> shop =
                attempt.session() instanceof WebshopSession session
                        ? session.page()
                        : Optional.empty();
        html.open("main").line();
        if (shop.filter(page -> page instanceof ShopPage.Start).isPresent()) {
            input(html, ShopView.WORDS, "Words to search for", "Search");
        }
        form(html, "act");
        if (shop.isPresent()) {
            ShopView.draw(html, shop.get(), buttons);
        } else {
            PlainView.draw(html, attempt.state().observation(), buttons);
        }
        html.close("form").line();
        if (attempt.finished().isEmpty()) {
            typed(html, attempt);
        }
        html.close("main").line();
    }

    /** Any text is an action; it stands open where nothing else can be chosen. */
    private void typed(Html html, Attempt attempt) {
        boolean only =
                attempt.state().observation().admissibleActions().isEmpty()
                        && !(attempt.session() instanceof WebshopSession);
        if (only) {
            html.open("details", "open", "");
        } else {
            html.open("details");
        }
        html.element("summary", "Type an action");
        input(html, "action", "Action", "Do it");
        html.close("details").line();
    }

    private void input(Html html, String name, String label, String button) {
        form(html, "act");
        html.empty(
                        "input",
                        "name",
                        name,
                        "aria-label",
                        label,
                        "placeholder",
                        label,
                        "required",
                        "",
                        "autocomplete",
                        "off",
                        "maxlength",
                        "2000")
                .element("button", button)
                .close("form")
                .line();
    }

    private void form(Html html, String path) {
        html.open("form", "method", "post", "action", "/" + path, "class", path)
                .empty("input", "type", "hidden", "name", "token", "value", token)
                .empty("input", "type", "hidden", "name", "stamp", "value", Integer.toString(stamp))
                .line();
    }

    private void history(Html html, State state) {
        int limit = playground.environment().info().stepLimit();
        html.open("section", "class", "history")
                .element(
                        "h3",
                        "Actions: " + state.turn() + (limit > 0 ? " of at most " + limit : ""))
                .open("ol")
                .line();
        state.history().forEach(past -> html.element("li", past.decision().action().text()).line());
        html.close("ol").close("section").line();
    }

    private void footer(Html html) {
        html.open("footer").line();
        form(html, "task");
        html.element("button", "Next task", "name", "go", "value", "next")
                .element("button", "Start again", "name", "go", "value", "again")
                .close("form")
                .line();
        form(html, "task");
        html.open("select", "name", "split", "aria-label", "Split");
        for (String split : playground.environment().splits()) {
            if (split.equals(choice.split())) {
                html.element("option", split, "value", split, "selected", "");
            } else {
                html.element("option", split, "value", split);
            }
        }
        html.close("select")
                .empty(
                        "input",
                        "name",
                        "name",
                        "aria-label",
                        "Task",
                        "value",
                        Integer.toString(choice.number()))
                .element("button", "Go to task", "name", "go", "value", "to")
                .close("form")
                .line();
        String record = playground.recorder().inWords();
        html.element(
                        "p",
                        record.isEmpty()
                                ? "Nothing is recorded."
                                : "Finished episodes are recorded: " + record + ".")
                .line();
        html.element("p", playground.advisers().inWords()).close("footer").line();
    }
}
