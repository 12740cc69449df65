import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes {@code META-INF/services} from the {@code provides} clauses of a compiled {@code module-info.class}, so that the
 * class path and the module path see the same providers from one source. Fails if the sources already hold such a file.
 */
final class ServiceFiles {
    public static void main(String[] args) throws IOException {
        Path classes = Path.of(args[0]);
        Path descriptor = classes.resolve("module-info.class");
        if (!Files.exists(descriptor)) {
            return;
        }
        Path services = classes.resolve("META-INF/services");
        Path written = Path.of(args[1]).resolve("src/main/resources/META-INF/services");
        if (Files.exists(written)) {
            throw new IllegalStateException(written + " exists: declare providers in module-info.java only");
        }
        ModuleDescriptor module;
        try (InputStream in = Files.newInputStream(descriptor)) {
            module = ModuleDescriptor.read(in);
        }
        for (ModuleDescriptor.Provides provides : module.provides()) {
            Files.createDirectories(services);
            Files.write(services.resolve(provides.service()), provides.providers());
        }
    }
}
