package io.agentprm.lm.chat;

/**
 * A message of a conversation.
 *
 * @param role system, user or assistant
 * @param content what is said
 */
public record Message(String role, String content) {
    public static Message system(String content) {
        return new Message("system", content);
    }

    public static Message user(String content) {
        return new Message("user", content);
    }

    public static Message assistant(String content) {
        return new Message("assistant", content);
    }
}
