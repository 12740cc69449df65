package io.agentprm.core.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.agentprm.core.config.ConfigNode.Entries;
import io.agentprm.core.config.ConfigNode.Entry;
import io.agentprm.core.config.ConfigNode.Items;
import io.agentprm.core.config.ConfigNode.Scalar;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/** Tree to text, the same bytes on every system. */
final class ConfigWriter {
    private ConfigWriter() {}

    static String yaml(ConfigNode node) {
        YAMLFactory factory =
                YAMLFactory.builder()
                        .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                        .disable(YAMLGenerator.Feature.SPLIT_LINES)
                        .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                        .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                        .build();
        return write(factory, node);
    }

    static String json(ConfigNode node) {
        return write(new JsonFactory(), node);
    }

    private static String write(JsonFactory factory, ConfigNode node) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = factory.createGenerator(text)) {
            DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
            generator.setPrettyPrinter(
                    new DefaultPrettyPrinter()
                            .withObjectIndenter(indenter)
                            .withArrayIndenter(indenter));
            write(node, generator);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        String written = text.toString();
        return written.endsWith("\n") ? written : written + "\n";
    }

    private static void write(ConfigNode node, JsonGenerator out) throws IOException {
        if (node instanceof Scalar scalar) {
            switch (scalar.kind()) {
                case TEXT -> out.writeString(scalar.text());
                case NUMBER -> number(scalar.text(), out);
                case BOOLEAN -> out.writeBoolean(Boolean.parseBoolean(scalar.text()));
                case NOTHING -> out.writeNull();
            }
        } else if (node instanceof Items items) {
            out.writeStartArray();
            for (ConfigNode item : items.values()) {
                write(item, out);
            }
            out.writeEndArray();
        } else if (node instanceof Entries entries) {
            out.writeStartObject();
            for (Map.Entry<String, Entry> entry : entries.values().entrySet()) {
                out.writeFieldName(entry.getKey());
                write(entry.getValue().value(), out);
            }
            out.writeEndObject();
        }
    }

    /** YAML knows numbers that JSON does not ({@code .inf}, {@code 0x1f}): those go as text. */
    private static void number(String text, JsonGenerator out) throws IOException {
        if (text.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
            out.writeNumber(text);
        } else {
            out.writeString(text);
        }
    }
}
