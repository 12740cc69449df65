/**
 * WebShop text engine on Lucene, loader for the released data, generator of a catalogue, experts.
 */
package io.agentprm.env.webshop;
