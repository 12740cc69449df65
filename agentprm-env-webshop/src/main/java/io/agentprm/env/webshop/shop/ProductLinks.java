package io.agentprm.env.webshop.shop;

/** What links to products are called on a page of results. */
public enum ProductLinks {
    /** By the product's id, as in the original. */
    ASIN,
    /** By the place on the page, from 1: a small model need not spell ten random signs then. */
    NUMBER
}
