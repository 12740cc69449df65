package io.agentprm.testkit;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.api.env.Environment;
import io.agentprm.api.plugin.EnvironmentProvider;
import io.agentprm.api.plugin.Provider;
import io.agentprm.api.run.RunContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

public class ProviderContractTest extends ContractProof<Provider<?>> {
    static class Subject extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return subject(Provider.class);
        }
    }

    @Override
    Class<?> contract() {
        return Subject.class;
    }

    @Override
    Provider<?> good() {
        return new Good();
    }

    @Override
    Map<String, Supplier<Provider<?>>> broken() {
        return Map.of(
                "itIsAPublicClassWithAPublicConstructorWithoutParameters",
                () -> new WithAParameter("x"),
                "itsNameIsStableAndOfTheDocumentedForm",
                Misnamed::new,
                "itsDescriptionIsASentence",
                Undescribed::new,
                "itsConfigurationIsAPublicRecord",
                WithAHiddenConfiguration::new,
                "everySettingIsDescribed",
                WithSilentSettings::new,
                "everyDefaultIsAValueOfItsComponent",
                WithAWrongDefault::new,
                "noSettingIsCalledType",
                WithATypeForASetting::new,
                "theDefaultsAreAccepted",
                WithARefusedDefault::new,
                "itIsRegistered",
                Unregistered::new);
    }

    /** Keeps all rules, with a setting of every kind. */
    public static class Good extends Base<Good.Config> {
        /** A unit. */
        public enum Unit {
            SECONDS,
            LONG_HOURS,
            halfDays
        }

        /** Nested settings. */
        @Description("Nested.")
        public record Nested(@Description("On or off.") @Default("true") boolean on) {}

        /** Settings. */
        @Description("Settings.")
        public record Config(
                @Description("Required.") String name,
                @Description("A number.") @Default("0.5") double share,
                @Description("A unit.") @Default("long-hours") Unit unit,
                @Description("Another unit.") @Default("half-days") Unit other,
                @Description("Numbers.") @Default("[1, 2]") List<Integer> numbers,
                @Description("Nested.") Nested nested,
                @Description("Units.") Map<String, Unit> units,
                @Description("A limit.") Optional<java.time.Duration> limit,
                @Description("A pause.") @Default("250ms") java.time.Duration pause,
                @Description("A folder.") @Default("data") java.nio.file.Path folder) {}

        public Good() {
            super("good", "A good one.", Config.class);
        }
    }

    /** The parts of a provider, given. */
    abstract static class Base<C extends Record> implements EnvironmentProvider<C> {
        private final String name;
        private final String description;
        private final Class<C> configuration;

        Base(String name, String description, Class<C> configuration) {
            this.name = name;
            this.description = description;
            this.configuration = configuration;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String description() {
            return description;
        }

        @Override
        public Class<C> configuration() {
            return configuration;
        }

        @Override
        public Environment create(C config, RunContext context) {
            return ToyEnvironment.of(ToyMdp.house());
        }
    }

    /** Cannot be made without a word. */
    public static final class WithAParameter extends Base<Good.Config> {
        public WithAParameter(String word) {
            super("word", "Needs " + word + ".", Good.Config.class);
        }
    }

    /** A class name for a name. */
    public static final class Misnamed extends Base<Good.Config> {
        public Misnamed() {
            super("MyEnvironment", "Misnamed.", Good.Config.class);
        }
    }

    /** Says nothing. */
    public static final class Undescribed extends Base<Good.Config> {
        public Undescribed() {
            super("undescribed", "", Good.Config.class);
        }
    }

    /** Hides its settings. */
    public static final class WithAHiddenConfiguration
            extends Base<WithAHiddenConfiguration.Config> {
        @Description("Settings.")
        record Config(@Description("Required.") String name) {}

        public WithAHiddenConfiguration() {
            super("hidden", "Hidden settings.", Config.class);
        }
    }

    /** Describes none of its settings. */
    public static final class WithSilentSettings extends Base<WithSilentSettings.Config> {
        /** Settings. */
        @Description("Settings.")
        public record Config(@Default("1") int size) {}

        public WithSilentSettings() {
            super("silent", "Silent settings.", Config.class);
        }
    }

    /** Has a text where a number is wanted. */
    public static final class WithAWrongDefault extends Base<WithAWrongDefault.Config> {
        /** Settings. */
        @Description("Settings.")
        public record Config(@Description("A size.") @Default("large") int size) {}

        public WithAWrongDefault() {
            super("wrong", "A wrong default.", Config.class);
        }
    }

    /** Has a setting that no file can give. */
    public static final class WithATypeForASetting extends Base<WithATypeForASetting.Config> {
        /** Settings. */
        @Description("Settings.")
        public record Config(@Description("A type.") @Default("x") String type) {}

        public WithATypeForASetting() {
            super("typed", "A setting called type.", Config.class);
        }
    }

    /** Refuses what it proposes. */
    public static final class WithARefusedDefault extends Base<WithARefusedDefault.Config> {
        /** Settings. */
        @Description("Settings.")
        public record Config(@Description("A size, at least 1.") @Default("0") int size) {
            /** Checks the range. */
            public Config {
                if (size < 1) {
                    throw new IllegalArgumentException("size must be at least 1, was " + size);
                }
            }
        }

        public WithARefusedDefault() {
            super("refused", "A refused default.", Config.class);
        }
    }

    /** In no list. */
    public static final class Unregistered extends Base<Good.Config> {
        public Unregistered() {
            super("unregistered", "In no list.", Good.Config.class);
        }
    }
}
