/** What the original takes from Python without saying so: its random numbers, text and JSON. */
package io.agentprm.env.webshop.python;
