/** Products: what they are, how the original's files are read, and where they are kept. */
package io.agentprm.env.webshop.catalog;
