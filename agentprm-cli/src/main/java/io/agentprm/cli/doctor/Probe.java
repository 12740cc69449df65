package io.agentprm.cli.doctor;

import java.util.List;

/** Looks at one side of the machine. */
@FunctionalInterface
interface Probe {
    List<Finding> look();
}
