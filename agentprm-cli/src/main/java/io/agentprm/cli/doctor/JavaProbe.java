package io.agentprm.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** The Java virtual machine. */
final class JavaProbe implements Probe {
    @Override
    public List<Finding> look() {
        List<Finding> findings = new ArrayList<>();
        findings.add(
                Finding.ok(
                        "java",
                        Runtime.version()
                                + ", "
                                + System.getProperty("java.vm.name")
                                + ", "
                                + System.getProperty("java.home")));
        long heap = Runtime.getRuntime().maxMemory();
        findings.add(
                heap < Sizes.gigabytes(1)
                        ? Finding.problem(
                                "heap",
                                Sizes.text(heap) + " is too small; set AGENTPRM_JAVA_OPTS=-Xmx3g")
                        : Finding.ok("heap", "up to " + Sizes.text(heap)));
        return findings;
    }
}
