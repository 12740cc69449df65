package io.agentprm.cli.doctor;

/**
 * One thing that was looked at.
 *
 * @param topic what was looked at
 * @param text what was found and, if it is not fine, what to do
 */
record Finding(Grade grade, String topic, String text) {
    /** How a finding stands. */
    enum Grade {
        /** As it should be. */
        OK,
        /** Worth knowing; nothing has to be done. */
        NOTE,
        /** Something will not work. */
        PROBLEM
    }

    static Finding ok(String topic, String text) {
        return new Finding(Grade.OK, topic, text);
    }

    static Finding note(String topic, String text) {
        return new Finding(Grade.NOTE, topic, text);
    }

    static Finding problem(String topic, String text) {
        return new Finding(Grade.PROBLEM, topic, text);
    }
}
