package io.agentprm.api;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Version of the contracts in this module, apart from the version of the artifact. Additions raise
 * the minor number; a change that breaks compiled plugins raises the major one. A plugin names the
 * version that it was built for in the manifest of its JAR, such as {@code AgentPRM-API: 1.0}.
 *
 * @param major raised by changes that break compiled plugins; at least 0
 * @param minor raised by additions; at least 0
 */
@Stable(since = "1.0")
public record ApiVersion(int major, int minor) {
    /** Attribute of a JAR's manifest. */
    public static final String ATTRIBUTE = "AgentPRM-API";

    private static final Pattern TEXT = Pattern.compile("(\\d{1,6})(?:\\.(\\d{1,6}))?");

    /** Refuses negative numbers with an {@link IllegalArgumentException}. */
    public ApiVersion {
        if (major < 0 || minor < 0) {
            throw new IllegalArgumentException(
                    "numbers of a version are at least 0, were " + major + " and " + minor);
        }
    }

    /** Version of the contracts that this class belongs to. */
    public static ApiVersion current() {
        return new ApiVersion(1, 0);
    }

    /** Reads {@code 1.0}, or {@code 1} for the same; empty for any other text. */
    public static Optional<ApiVersion> parse(String text) {
        Matcher parts = TEXT.matcher(text.strip());
        if (!parts.matches()) {
            return Optional.empty();
        }
        int minor = parts.group(2) == null ? 0 : Integer.parseInt(parts.group(2));
        return Optional.of(new ApiVersion(Integer.parseInt(parts.group(1)), minor));
    }

    /** Whether a plugin built for that version runs here: same major, no newer minor. */
    public boolean runs(ApiVersion builtFor) {
        return builtFor.major == major && builtFor.minor <= minor;
    }

    /** Such as {@code 1.0}. */
    @Override
    public String toString() {
        return major + "." + minor;
    }
}
