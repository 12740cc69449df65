package io.agentprm.cli.web;

import io.agentprm.api.env.Observation;
import io.agentprm.core.report.Html;

/** Any environment: what it says, and its actions. */
final class PlainView {
    private PlainView() {}

    static void draw(Html html, Observation seen, Buttons buttons) {
        html.element("pre", seen.text()).line();
        buttons.rest(html);
    }
}
