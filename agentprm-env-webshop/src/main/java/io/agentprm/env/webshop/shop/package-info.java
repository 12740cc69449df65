/** The shop as a visitor sees it: pages, what can be clicked, and what actions do. */
package io.agentprm.env.webshop.shop;
