package io.agentprm.testkit;

import io.agentprm.api.config.Description;
import io.agentprm.api.plugin.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Provider} promises, whatever it provides: it can be found, made, named and
 * configured from a file. Extend it in a test of your own:
 *
 * <pre>{@code
 * class LiftProviderTest extends ProviderContract {
 *     @Override
 *     protected Provider<?> provider() {
 *         return new LiftProvider();
 *     }
 * }
 * }</pre>
 */
public abstract class ProviderContract {
    private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,64}");

    /** The provider, made by its constructor without parameters. */
    protected abstract Provider<?> provider();

    @Test
    final void itIsAPublicClassWithAPublicConstructorWithoutParameters() {
        Rule rule =
                Rule.of(
                        "a provider is a public class with a public constructor without parameters",
                        "make the class, all that encloses it and the constructor public; leave"
                                + " work to create");
        Class<?> type = provider().getClass();
        rule.holds(isPublic(type), type.getName(), "a public class", "not public throughout");
        boolean found = false;
        for (Constructor<?> constructor : type.getConstructors()) {
            found |= constructor.getParameterCount() == 0;
        }
        rule.holds(found, type.getName(), "a public constructor without parameters", "none");
    }

    private static boolean isPublic(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getEnclosingClass()) {
            if (!Modifier.isPublic(c.getModifiers())) {
                return false;
            }
        }
        return true;
    }

    @Test
    final void itsNameIsStableAndOfTheDocumentedForm() {
        Rule rule =
                Rule.of(
                        "a name is the same at every call: 1 to 64 lower-case ASCII letters, digits"
                                + " and hyphens",
                        "return a constant such as \"my-lift\": files and stored runs use it");
        String name = provider().name();
        rule.holds(NAME.matcher(name).matches(), "name()", NAME, name);
        rule.same(name, provider().name(), "name(), asked again");
    }

    @Test
    final void itsDescriptionIsASentence() {
        Rule rule =
                Rule.of(
                        "a description is one line that ends with a full stop",
                        "say in a sentence what is provided: agentprm plugins shows it");
        String description = provider().description();
        rule.holds(
                !description.isBlank()
                        && description.endsWith(".")
                        && description.lines().count() == 1,
                "description()",
                "a sentence",
                "'" + description + "'");
    }

    @Test
    final void itsConfigurationIsAPublicRecord() {
        Rule rule =
                Rule.of(
                        "a configuration, and every record and enum in it, is public and in an"
                                + " exported package",
                        "make the type and all that encloses it public, and export its package in"
                                + " module-info.java");
        for (Class<?> type : types()) {
            rule.holds(isPublic(type), type.getName(), "a public type", "not public throughout");
            rule.holds(
                    type.getModule().isExported(type.getPackageName()),
                    type.getName(),
                    "an exported package",
                    "not exported by " + type.getModule());
        }
    }

    @Test
    final void everySettingIsDescribed() {
        Rule rule =
                Rule.of(
                        "a configuration and each of its components carry a description",
                        "add @Description with unit and range: the reference page is made of it");
        for (Class<?> type : types()) {
            if (type.isRecord()) {
                rule.holds(
                        described(type.getAnnotation(Description.class)),
                        type.getSimpleName(),
                        "@Description",
                        "none");
                for (RecordComponent component : type.getRecordComponents()) {
                    rule.holds(
                            described(component.getAnnotation(Description.class)),
                            type.getSimpleName() + "." + component.getName(),
                            "@Description",
                            "none");
                }
            }
        }
    }

    private static boolean described(Description description) {
        return description != null && !description.value().isBlank();
    }

    @Test
    final void everyDefaultIsAValueOfItsComponent() {
        Rule rule =
                Rule.of(
                        "a component has a type that a file can hold, and a default that is a"
                                + " value of it",
                        "write @Default in the notation of YAML, enum constants in kebab-case");
        for (Class<?> type : types()) {
            if (type.isRecord()) {
                for (RecordComponent component : type.getRecordComponents()) {
                    if (!component.getType().isRecord()) {
                        rule.answered(
                                type.getSimpleName() + "." + component.getName(),
                                () -> ConfigurationDefaults.of(component));
                    }
                }
            }
        }
    }

    @Test
    final void noSettingIsCalledType() {
        Rule rule =
                Rule.of(
                        "no component of a configuration is called type",
                        "rename it: in a file, the key type names the provider");
        for (RecordComponent component : provider().configuration().getRecordComponents()) {
            rule.holds(
                    !component.getName().equals("type"),
                    component.getDeclaringRecord().getSimpleName(),
                    "another name",
                    "type");
        }
    }

    @Test
    final void theDefaultsAreAccepted() {
        Rule rule =
                Rule.of(
                        "a configuration record accepts its own defaults",
                        "bring @Default and the checks of the record's constructor into line");
        for (Class<?> type : types()) {
            if (type.isRecord()) {
                try {
                    ConfigurationDefaults.of(type);
                } catch (IllegalArgumentException e) {
                    // What is no value at all belongs to the other rule.
                    rule.holds(
                            !e.getMessage().startsWith("refused"),
                            type.getSimpleName() + " with its defaults",
                            "a configuration",
                            e.getMessage());
                }
            }
        }
    }

    @Test
    final void itIsRegistered() throws IOException {
        Rule rule =
                Rule.of(
                        "a provider is named in META-INF/services of its JAR or in the provides"
                                + " clause of its module",
                        "write the class name into META-INF/services/ followed by the name of the"
                                + " interface, or into module-info.java");
        Class<?> type = provider().getClass();
        Class<?> service = service(type);
        rule.holds(
                listed(type, service) || provided(type, service),
                service.getName(),
                "a service file or a provides clause that names " + type.getName(),
                "neither");
    }

    /** The provider interface of the API that a class implements. */
    private static Class<?> service(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Class<?> candidate : c.getInterfaces()) {
                if (candidate != Provider.class && Provider.class.isAssignableFrom(candidate)) {
                    return candidate;
                }
            }
        }
        throw new TestkitException(
                type.getName()
                        + " implements none of the interfaces in "
                        + Provider.class.getPackageName());
    }

    private static boolean listed(Class<?> type, Class<?> service) throws IOException {
        String file = "META-INF/services/" + service.getName();
        for (URL url : Collections.list(type.getClassLoader().getResources(file))) {
            try (InputStream in = url.openStream()) {
                String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                if (text.lines()
                        .anyMatch(l -> l.replaceAll("#.*", "").strip().equals(type.getName()))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Descriptors are read as files: on the class path, where tests run, they are nothing else. */
    private static boolean provided(Class<?> type, Class<?> service) throws IOException {
        String file = "module-info.class";
        for (URL url : Collections.list(type.getClassLoader().getResources(file))) {
            try (InputStream in = url.openStream()) {
                for (ModuleDescriptor.Provides provides : ModuleDescriptor.read(in).provides()) {
                    if (provides.service().equals(service.getName())
                            && provides.providers().contains(type.getName())) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** The configuration and the records and enums in it. */
    private Set<Class<?>> types() {
        Set<Class<?>> types = new LinkedHashSet<>();
        collect(provider().configuration(), types);
        return types;
    }

    private static void collect(Class<?> type, Set<Class<?>> types) {
        if (!type.isRecord() && !type.isEnum() || !types.add(type) || type.isEnum()) {
            return;
        }
        for (RecordComponent component : type.getRecordComponents()) {
            collect(component.getGenericType(), types);
        }
    }

    private static void collect(Type type, Set<Class<?>> types) {
        if (type instanceof Class<?> plain) {
            collect(plain, types);
        } else if (type instanceof ParameterizedType generic) {
            for (Type argument : generic.getActualTypeArguments()) {
                collect(argument, types);
            }
        }
    }
}
