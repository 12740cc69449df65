package io.agentprm.env.webshop.generator;

/**
 * A kind of goods.
 *
 * @param group where it belongs
 * @param query by which it is found, such as {@code console tables}
 * @param noun as titles have it, such as {@code Console Table}
 */
record Kind(Group group, String query, String noun) {}
