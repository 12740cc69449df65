package io.agentprm.core.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * The one mapper for data files, with every feature that matters said aloud. It reads and writes
 * trees only: no class is ever named by data.
 */
public final class Json {
    /**
     * Lines of data are limited as wholes, so that what was written can always be read back; a
     * limit on single strings would break that.
     */
    private static final StreamReadConstraints CONSTRAINTS =
            StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNestingDepth(200)
                    .build();

    private Json() {}

    /** A mapper; immutable once made, thread-safe. */
    public static JsonMapper mapper() {
        JsonFactory factory =
                new JsonFactoryBuilder()
                        .streamReadConstraints(CONSTRAINTS)
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                        .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
                        .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                        .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
                        .disable(JsonWriteFeature.ESCAPE_NON_ASCII)
                        .build();
        return JsonMapper.builder(factory)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .build();
    }
}
