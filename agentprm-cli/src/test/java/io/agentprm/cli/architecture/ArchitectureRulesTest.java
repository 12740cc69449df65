package io.agentprm.cli.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.agentprm.algos.fixture.one.First;
import io.agentprm.algos.fixture.two.Second;
import io.agentprm.api.fixture.Offender;
import org.junit.jupiter.api.Test;

/** Every rule can fail: each finds the offence in a class that was written to commit it. */
class ArchitectureRulesTest {
    @Test
    void thirdPartyTypeIsFound() {
        assertFinds(ArchitectureRules.moduleHasNoThirdParty("api", "algos"), Offender.class);
    }

    @Test
    void upwardDependencyIsFound() {
        assertFinds(ArchitectureRules.moduleSeesOnly("api"), Offender.class);
    }

    @Test
    void printingIsFound() {
        assertFinds(ArchitectureRules.onlyTheCommandLinePrints(), Offender.class);
    }

    @Test
    void genericExceptionIsFound() {
        assertFinds(ArchitectureRules.errorsHaveTheirOwnTypes(), Offender.class);
    }

    @Test
    void hiddenProviderIsFound() {
        assertFinds(ArchitectureRules.providersCanBeFound(), Offender.hiddenProvider());
    }

    @Test
    void missingStatusIsFound() {
        assertFinds(ArchitectureRules.typesOfTheApiHaveAStatus(), Offender.class);
    }

    @Test
    void cycleIsFound() {
        assertFinds(ArchitectureRules.packagesAreFreeOfCycles(), First.class, Second.class);
    }

    private static void assertFinds(ArchRule rule, Class<?>... classes) {
        assertTrue(
                rule.evaluate(new ClassFileImporter().importClasses(classes)).hasViolation(),
                rule.getDescription());
    }
}
