package io.agentprm.core.pipeline;

/** Numbers in sentences. */
final class Words {
    private Words() {}

    /** Such as {@code 1 episode} and {@code 2 episodes}. */
    static String counted(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
