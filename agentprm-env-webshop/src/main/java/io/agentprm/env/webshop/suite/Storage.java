package io.agentprm.env.webshop.suite;

/** Where products and their index are kept. */
public enum Storage {
    /** In memory up to 50,000 products, on disk above and where the number is not given. */
    AUTO,
    /** In memory: some kilobytes a product. */
    MEMORY,
    /** On disk: some tens of bytes of memory a product. */
    DISK
}
