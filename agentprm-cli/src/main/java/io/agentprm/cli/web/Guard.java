package io.agentprm.cli.web;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Turns away requests that other sites make a browser send. A page of a stranger whose name is
 * pointed at this machine (DNS rebinding) is known by the name in {@code Host}; so a server is
 * called by its number, as localhost, or by the name it was told to listen on. A form of a stranger
 * is known by its {@code Origin}, or else by the token that it lacks.
 */
record Guard(String ownName) {
    private static final String NUMBER = "[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[[0-9a-f:.%]+\\]";

    /**
     * Why a request is not answered; empty if it is.
     *
     * @param headers those of the request, by their names in any case
     */
    Optional<Reply> refuse(String method, Map<String, List<String>> headers) {
        List<String> hosts = headers.getOrDefault("Host", List.of());
        if (hosts.size() != 1 || !isOurs(hosts.get(0))) {
            return Optional.of(
                    Reply.refused(
                            421,
                            "This server is called by the address that it printed at its start,"
                                    + " not by another name."));
        }
        if (!method.equals("POST")) {
            return Optional.empty();
        }
        boolean foreign =
                headers.getOrDefault("Origin", List.of()).stream()
                                .anyMatch(origin -> !origin.equals("http://" + hosts.get(0)))
                        || headers.getOrDefault("Sec-fetch-site", List.of()).stream()
                                .anyMatch(site -> !site.equals("same-origin"));
        return foreign
                ? Optional.of(Reply.refused(403, "This form was sent by another site."))
                : Optional.empty();
    }

    private boolean isOurs(String host) {
        String name = host.replaceFirst(":[0-9]{1,5}$", "").toLowerCase(Locale.ROOT);
        return name.equals("localhost")
                || name.equals(ownName.toLowerCase(Locale.ROOT))
                || name.matches(NUMBER);
    }
}
