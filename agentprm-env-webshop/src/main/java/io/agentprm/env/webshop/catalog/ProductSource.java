package io.agentprm.env.webshop.catalog;

import java.util.function.Consumer;

/** Where products come from: files, or a generator. */
public interface ProductSource {
    /**
     * Shows every product once, in order. What was shown is not kept, so that a catalogue of any
     * size passes through.
     *
     * @return hash of everything that was read
     * @throws io.agentprm.env.webshop.WebshopException if something cannot be read; the message
     *     names file and place
     */
    String forEach(Consumer<Product> sink);

    /**
     * Text that changes when the products may have changed, found without reading them (names,
     * sizes and times of files, settings of a generator).
     */
    String fingerprint();

    /**
     * Text that changes only if the products do, wherever their files lie. Reads the files, but
     * does not parse them.
     *
     * @throws io.agentprm.env.webshop.WebshopException if something cannot be read
     */
    String identity();

    /** True if there are so many products, above some 50,000, that they are better kept on disk. */
    boolean isLarge();
}
