package io.agentprm.cli.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A browser of the simplest kind: keeps cookies, follows redirections, sends forms. */
final class TestVisitor {
    private static final Pattern BUTTON =
            Pattern.compile("<button name=\"choice\" value=\"(\\d+)\" title=\"([^\"]*)\"[^>]*>");

    private final HttpClient client =
            HttpClient.newBuilder()
                    .cookieHandler(new CookieManager())
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .build();
    private final URI server;
    private String page = "";

    TestVisitor(URI server) {
        this.server = server;
    }

    /** Opens or reloads the page. */
    String look() {
        HttpResponse<String> answer = send(HttpRequest.newBuilder(server));
        assertEquals(200, answer.statusCode(), answer.body());
        page = answer.body();
        return page;
    }

    String page() {
        return page;
    }

    /** Actions of the page's buttons, as they stand in the markup. */
    List<String> actions() {
        List<String> actions = new ArrayList<>();
        Matcher matcher = BUTTON.matcher(page);
        while (matcher.find()) {
            actions.add(matcher.group(2));
        }
        return actions;
    }

    /** Presses the button of an action, as its title stands in the markup. */
    String press(String title) {
        Matcher matcher = BUTTON.matcher(page);
        while (matcher.find()) {
            if (matcher.group(2).equals(title)) {
                return submit("act", Map.of("choice", matcher.group(1)));
            }
        }
        throw new AssertionError("no button '" + title + "' on " + page);
    }

    /** Sends a form of the page. */
    String submit(String path, Map<String, String> fields) {
        HttpResponse<String> answer = post(path, form(fields));
        assertEquals(200, answer.statusCode(), answer.body());
        page = answer.body();
        return page;
    }

    /** The fields that a form of the page sends, these among them. */
    Map<String, String> form(Map<String, String> fields) {
        Map<String, String> all = new TreeMap<>(fields);
        all.putIfAbsent("token", hidden("token"));
        all.putIfAbsent("stamp", hidden("stamp"));
        return all;
    }

    private String hidden(String name) {
        Matcher matcher = Pattern.compile("name=\"" + name + "\" value=\"([^\"]*)\"").matcher(page);
        assertTrue(matcher.find(), page);
        return matcher.group(1);
    }

    HttpResponse<String> post(String path, Map<String, String> fields, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.resolve(path))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(encoded(fields)));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request);
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(
                    request.timeout(Duration.ofMinutes(2)).build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String encoded(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(
                        field ->
                                URLEncoder.encode(field.getKey(), StandardCharsets.UTF_8)
                                        + "="
                                        + URLEncoder.encode(
                                                field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }
}
