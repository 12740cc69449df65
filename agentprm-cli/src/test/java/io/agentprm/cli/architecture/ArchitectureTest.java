package io.agentprm.cli.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The built classes of every module keep the rules; one rule per test. */
class ArchitectureTest {
    private static JavaClasses classes;

    @BeforeAll
    static void readTheBuiltClasses() {
        classes =
                new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("io.agentprm");
    }

    /** Without this, a module that is not on the class path would keep every rule. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "api",
                "core",
                "algos",
                "lm",
                "engine.djl",
                "engine.onnx",
                "engine.openai",
                "env.alfworld",
                "env.webshop",
                "cli",
                "testkit"
            })
    void everyModuleIsRead(String module) {
        assertTrue(classes.stream().anyMatch(c -> c.getName().startsWith("io.agentprm." + module)));
    }

    @Test
    void apiStandsAlone() {
        ArchitectureRules.moduleHasNoThirdParty("api").check(classes);
    }

    @Test
    void algosAreFreeOfTensorTypes() {
        ArchitectureRules.moduleHasNoThirdParty("algos", "api").check(classes);
    }

    @Test
    void coreSeesOnlyTheApi() {
        ArchitectureRules.moduleSeesOnly("core", "api").check(classes);
    }

    @Test
    void lmSeesOnlyTheApi() {
        ArchitectureRules.moduleSeesOnly("lm", "api").check(classes);
    }

    @Test
    void enginesSeeOnlyApiAndLmAndNotEachOther() {
        ArchitectureRules.moduleSeesOnly("engine.djl", "api", "lm").check(classes);
        ArchitectureRules.moduleSeesOnly("engine.onnx", "api", "lm").check(classes);
        ArchitectureRules.moduleSeesOnly("engine.openai", "api", "lm").check(classes);
    }

    @Test
    void environmentsSeeOnlyTheApi() {
        ArchitectureRules.moduleSeesOnly("env", "api").check(classes);
    }

    @Test
    void testkitSeesOnlyTheApi() {
        ArchitectureRules.moduleSeesOnly("testkit", "api").check(classes);
    }

    @Test
    void commandLineDoesNotSeeTheTestkit() {
        ArchitectureRules.moduleSeesOnly("cli", "api", "core", "algos", "lm", "engine", "env")
                .check(classes);
    }

    @Test
    void packagesAreFreeOfCycles() {
        ArchitectureRules.packagesAreFreeOfCycles().check(classes);
    }

    @Test
    void onlyTheCommandLinePrints() {
        ArchitectureRules.onlyTheCommandLinePrints().check(classes);
    }

    @Test
    void numbersAreWrittenTheSameInEveryLocale() {
        ArchitectureRules.numbersAreWrittenTheSameInEveryLocale().check(classes);
    }

    @Test
    void errorsHaveTheirOwnTypes() {
        ArchitectureRules.errorsHaveTheirOwnTypes().check(classes);
    }

    @Test
    void typesOfTheApiHaveAStatus() {
        ArchitectureRules.typesOfTheApiHaveAStatus().check(classes);
    }

    @Test
    void providersCanBeFound() {
        ArchitectureRules.providersCanBeFound().check(classes);
    }
}
