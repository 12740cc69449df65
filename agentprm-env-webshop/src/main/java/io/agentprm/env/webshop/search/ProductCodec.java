package io.agentprm.env.webshop.search;

import io.agentprm.env.webshop.catalog.HumanInstruction;
import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.catalog.SyntheticRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Products as bytes, for a catalogue on disk. */
final class ProductCodec {
    private ProductCodec() {}

    static byte[] encode(Product product) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            write(out, product.asin());
            write(out, product.title());
            write(out, product.description());
            write(out, product.bullets());
            out.writeInt(product.pricing().size());
            for (double price : product.pricing()) {
                out.writeDouble(price);
            }
            write(out, product.priceTag());
            out.writeInt(product.options().size());
            for (Map.Entry<String, List<String>> group : product.options().entrySet()) {
                write(out, group.getKey());
                write(out, group.getValue());
            }
            write(out, product.attributes());
            write(out, product.category());
            write(out, product.query());
            write(out, product.productCategory());
            out.writeBoolean(product.request().isPresent());
            if (product.request().isPresent()) {
                write(out, product.request().get().text());
                write(out, product.request().get().attributes());
            }
            out.writeInt(product.instructions().size());
            for (HumanInstruction instruction : product.instructions()) {
                write(out, instruction.text());
                write(out, instruction.attributes());
                write(out, instruction.options());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static Product decode(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return new Product(
                    text(in),
                    text(in),
                    text(in),
                    texts(in),
                    pricing(in),
                    text(in),
                    options(in),
                    texts(in),
                    text(in),
                    text(in),
                    text(in),
                    in.readBoolean()
                            ? Optional.of(new SyntheticRequest(text(in), texts(in)))
                            : Optional.empty(),
                    instructions(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Double> pricing(DataInputStream in) throws IOException {
        List<Double> pricing = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            pricing.add(in.readDouble());
        }
        return pricing;
    }

    private static Map<String, List<String>> options(DataInputStream in) throws IOException {
        Map<String, List<String>> options = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            String name = text(in);
            options.put(name, texts(in));
        }
        return options;
    }

    private static List<HumanInstruction> instructions(DataInputStream in) throws IOException {
        List<HumanInstruction> instructions = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            instructions.add(new HumanInstruction(text(in), texts(in), texts(in)));
        }
        return instructions;
    }

    private static void write(DataOutputStream out, List<String> texts) throws IOException {
        out.writeInt(texts.size());
        for (String text : texts) {
            write(out, text);
        }
    }

    private static List<String> texts(DataInputStream in) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            texts.add(text(in));
        }
        return List.copyOf(texts);
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }
}
