package io.agentprm.engine.openai;

/** Which of OpenAI's endpoints is used for text. */
public enum TextApi {
    /** Messages with roles; the server has the chat template. */
    CHAT,
    /** One text, which is continued. */
    COMPLETIONS
}
