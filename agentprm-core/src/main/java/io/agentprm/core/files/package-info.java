/** Files that appear whole or not at all, and survive a power cut once they have appeared. */
package io.agentprm.core.files;
