package io.agentprm.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/**
 * Shows of a contract that it passes a good plugin, and that each of its rules, and no other one,
 * fails on a plugin that breaks it.
 */
abstract class ContractProof<T> {
    private static Supplier<?> subject = () -> "nothing";

    /** The contract with its factory method answered by {@link #subject}. */
    abstract Class<?> contract();

    /** A plugin that keeps all rules. */
    abstract T good();

    /** By the name of a rule, a plugin that breaks it. */
    abstract Map<String, Supplier<T>> broken();

    /** What the contract under test gets from its factory method. */
    static <T> T subject(Class<T> type) {
        return type.cast(subject.get());
    }

    /** Messages of the rules that a plugin breaks, by rule. */
    final Map<String, String> failures(Supplier<T> plugin) {
        subject = plugin;
        Map<String, String> failures = new TreeMap<>();
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(contract()))
                .execute()
                .testEvents()
                .failed()
                .stream()
                .forEach(event -> failures.put(rule(event), message(event)));
        return failures;
    }

    private static String rule(Event event) {
        return ((MethodSource) event.getTestDescriptor().getSource().orElseThrow()).getMethodName();
    }

    private static String message(Event event) {
        return event.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .map(Throwable::toString)
                .orElse("");
    }

    private Set<String> rules() {
        Set<String> rules = new TreeSet<>();
        for (Class<?> c = contract(); c != Object.class; c = c.getSuperclass()) {
            Arrays.stream(c.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(Test.class))
                    .map(Method::getName)
                    .forEach(rules::add);
        }
        return rules;
    }

    @Test
    void aGoodPluginKeepsAllRules() {
        assertEquals(Map.of(), failures(this::good));
    }

    @Test
    void everyRuleHasAPluginThatBreaksIt() {
        assertEquals(rules(), new TreeSet<>(broken().keySet()));
    }

    @TestFactory
    Stream<DynamicTest> exactlyTheBrokenRuleFails() {
        Set<String> names = new HashSet<>();
        return broken().entrySet().stream()
                .map(
                        entry ->
                                DynamicTest.dynamicTest(
                                        entry.getKey(),
                                        () -> fails(entry.getKey(), entry.getValue(), names)));
    }

    /** Only this rule fails, under a name that no other one has. */
    private void fails(String rule, Supplier<T> plugin, Set<String> names) {
        Map<String, String> failures = failures(plugin);
        assertEquals(Set.of(rule), failures.keySet(), failures::toString);
        String text = failures.get(rule);
        for (String part : Set.of("Rule broken: ", "expected: ", "seen: ", "what to do: ")) {
            assertTrue(text.contains(part), text);
        }
        assertTrue(names.add(text.lines().findFirst().orElse("")), text);
    }
}
