package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import java.util.List;
import java.util.Optional;

/**
 * Asks for the score after each of several continuations of one prompt.
 *
 * @param prompt token ids, at least one; not to be changed afterwards
 * @param continuations token ids of each continuation, at least one each; not to be changed
 *     afterwards
 * @param conversation name under which the prompt's key-value cache is kept, if any
 */
@Experimental(since = "1.0")
public record ContinuationRequest(
        int[] prompt, List<int[]> continuations, Optional<String> conversation) {}
