package io.agentprm.cli.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.GeneralCodingRules;
import io.agentprm.api.ApiVersion;
import io.agentprm.api.Experimental;
import io.agentprm.api.Internal;
import io.agentprm.api.Stable;
import io.agentprm.api.plugin.Provider;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The rules that hold the modules apart. */
final class ArchitectureRules {
    private static final String ROOT = "io.agentprm.";

    private static final Set<String> GENERIC =
            Set.of(
                    "java.lang.Throwable",
                    "java.lang.Error",
                    "java.lang.Exception",
                    "java.lang.RuntimeException",
                    "java.lang.IllegalStateException");

    private static final List<Class<? extends Annotation>> STATUS =
            List.of(Stable.class, Experimental.class, Internal.class);

    private ArchitectureRules() {}

    /** A module sees itself, the named modules and whatever is not ours. */
    static ArchRule moduleSeesOnly(String module, String... others) {
        List<String> allowed = new ArrayList<>();
        allowed.add(ROOT + module + "..");
        for (String other : others) {
            allowed.add(ROOT + other + "..");
        }
        return noClasses()
                .that()
                .resideInAPackage(ROOT + module + "..")
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.agentprm..")
                                .and(resideOutsideOfPackages(allowed.toArray(String[]::new))))
                .as(module + " sees no module but " + List.of(others))
                .allowEmptyShould(true);
    }

    /** A module sees the Java platform and the named modules of ours, and no third party. */
    static ArchRule moduleHasNoThirdParty(String module, String... others) {
        List<String> allowed = new ArrayList<>(List.of("java..", ROOT + module + ".."));
        for (String other : others) {
            allowed.add(ROOT + other + "..");
        }
        return classes()
                .that()
                .resideInAPackage(ROOT + module + "..")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(allowed.toArray(String[]::new))
                                .or(primitivesAndArraysOfThem()))
                .as(module + " has no third-party types")
                .allowEmptyShould(true);
    }

    static ArchRule packagesAreFreeOfCycles() {
        return slices().matching(ROOT + "(**)").should().beFreeOfCycles();
    }

    static ArchRule onlyTheCommandLinePrints() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "cli..")
                .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
                .as("nothing but the command line prints");
    }

    static ArchRule numbersAreWrittenTheSameInEveryLocale() {
        return noClasses()
                .should()
                .callMethod(String.class, "formatted", Object[].class)
                .orShould()
                .callMethod(String.class, "format", String.class, Object[].class)
                .orShould()
                .callMethod(PrintWriter.class, "printf", String.class, Object[].class)
                .orShould()
                .callMethod(PrintStream.class, "printf", String.class, Object[].class)
                .as("numbers are written the same in every locale: a format names its locale");
    }

    static ArchRule errorsHaveTheirOwnTypes() {
        return classes()
                .should(makeNoGenericException())
                .as("errors have types of their own, one root per module");
    }

    /** Types inside another have the status of the one around them. */
    static ArchRule typesOfTheApiHaveAStatus() {
        return classes()
                .that()
                .resideInAPackage(ROOT + "api..")
                .and()
                .arePublic()
                .and()
                .areTopLevelClasses()
                .should(haveOneStatus())
                .as("public types of the API are stable, experimental or internal, since a version")
                .allowEmptyShould(true);
    }

    static ArchRule providersCanBeFound() {
        return classes()
                .that()
                .areAssignableTo(Provider.class)
                .and()
                .doNotHaveModifier(JavaModifier.ABSTRACT)
                .and()
                .areNotInterfaces()
                .should()
                .bePublic()
                .andShould(havePublicConstructorWithoutParameters())
                .as("providers are public with a public constructor without parameters")
                .allowEmptyShould(true);
    }

    private static DescribedPredicate<JavaClass> primitivesAndArraysOfThem() {
        return DescribedPredicate.describe(
                "primitives and arrays of them", c -> c.getBaseComponentType().isPrimitive());
    }

    private static ArchCondition<JavaClass> makeNoGenericException() {
        return new ArchCondition<>("make no generic exception") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (JavaCall<?> call : type.getConstructorCallsFromSelf()) {
                    boolean superCall =
                            call.getOrigin().isConstructor()
                                    && type.getRawSuperclass()
                                            .filter(call.getTargetOwner()::equals)
                                            .isPresent();
                    if (GENERIC.contains(call.getTargetOwner().getName()) && !superCall) {
                        events.add(SimpleConditionEvent.violated(type, call.getDescription()));
                    }
                }
            }
        };
    }

    private static ArchCondition<JavaClass> haveOneStatus() {
        return new ArchCondition<>("have one status, with a version that there was") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                List<ApiVersion> since = new ArrayList<>();
                for (Class<? extends Annotation> status : STATUS) {
                    type.tryGetAnnotationOfType(status.getName())
                            .flatMap(annotation -> annotation.get("since"))
                            .flatMap(version -> ApiVersion.parse(version.toString()))
                            .filter(ApiVersion.current()::runs)
                            .ifPresent(since::add);
                }
                if (since.size() != 1) {
                    events.add(
                            SimpleConditionEvent.violated(
                                    type,
                                    type.getName()
                                            + " needs one of @Stable, @Experimental, @Internal"
                                            + " (since = \""
                                            + ApiVersion.current()
                                            + "\")"));
                }
            }
        };
    }

    private static ArchCondition<JavaClass> havePublicConstructorWithoutParameters() {
        return new ArchCondition<>("have a public constructor without parameters") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean found =
                        type.getConstructors().stream()
                                .anyMatch(
                                        c ->
                                                c.getRawParameterTypes().isEmpty()
                                                        && c.getModifiers()
                                                                .contains(JavaModifier.PUBLIC));
                if (!found) {
                    events.add(
                            SimpleConditionEvent.violated(
                                    type, type.getName() + " cannot be made by ServiceLoader"));
                }
            }
        };
    }
}
