package io.agentprm.core.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.core.json.Fields;

/** How one item becomes a JSON object and back. */
interface Codec<T> {
    ObjectNode encode(T item);

    T decode(Fields fields);
}
