/** The search engine of the shop, on Lucene, and the shop's goods in memory or on disk. */
package io.agentprm.env.webshop.search;
