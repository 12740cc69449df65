package io.agentprm.cli.web;

import io.agentprm.core.RunException;
import io.agentprm.core.report.Html;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.function.Consumer;

/** What all pages have around them, and what a browser may do with them. */
final class Frame {
    private Frame() {}

    /** A page. */
    static String of(String title, Consumer<Html> body) {
        Html html = new Html();
        html.trusted("<!DOCTYPE html>\n").open("html", "lang", "en").line();
        html.open("head")
                .empty("meta", "charset", "utf-8")
                .empty("meta", "name", "viewport", "content", "width=device-width")
                .element("title", title)
                .open("style")
                .trusted(style())
                .close("style")
                .close("head")
                .line();
        html.open("body").line();
        body.accept(html);
        return html.close("body").close("html").line().toString();
    }

    /** A page that says one thing. */
    static String message(String text) {
        return of(
                "agentprm play",
                html ->
                        html.element("p", text, "class", "note")
                                .element("a", "Go on", "href", "/")
                                .line());
    }

    /** No script, nothing from elsewhere, no frame around it; forms go to this server only. */
    static String policy() {
        return "default-src 'none'; style-src 'sha256-"
                + Base64.getEncoder().encodeToString(sha256(style()))
                + "'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
    }

    private static String style() {
        try (InputStream in = Frame.class.getResourceAsStream("play.css")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new RunException("cannot read the style of the page: " + e.getMessage(), e);
        }
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new RunException("this JDK lacks SHA-256", e);
        }
    }
}
