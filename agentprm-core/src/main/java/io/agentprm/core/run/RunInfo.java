package io.agentprm.core.run;

import io.agentprm.api.config.Description;
import java.util.Map;

/**
 * Identity of a run, written once and kept over resumes.
 *
 * @param id name of the run, by which results and metrics belong together
 * @param created time of the first start, ISO-8601
 * @param seed root of all its random streams
 * @param versions of this program, the JDK, engines, by name
 */
public record RunInfo(
        @Description("Name of the run.") String id,
        @Description("Time of the first start.") String created,
        @Description("Root seed.") long seed,
        @Description("Versions by name.") Map<String, String> versions) {}
