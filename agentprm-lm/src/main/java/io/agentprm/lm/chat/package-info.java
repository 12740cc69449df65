/** Chat templates: how a published model wants a conversation written. */
package io.agentprm.lm.chat;
