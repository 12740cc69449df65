package io.agentprm.core.report;

/** Numbers in sentences. */
public final class Words {
    private Words() {}

    /** Such as {@code 1 episode} and {@code 2 episodes}. */
    public static String counted(long number, String noun) {
        return counted(number, noun, noun + "s");
    }

    /** A number with a noun whose plural is its own. */
    public static String counted(long number, String one, String several) {
        return number + " " + (number == 1 ? one : several);
    }
}
