package io.agentprm.env.webshop.goal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.env.webshop.TestProducts;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.catalog.CatalogFiles;
import io.agentprm.env.webshop.search.Inventory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An instruction made by rule that asks for no attribute, in memory and on disk. */
class EmptyRequestTest {
    @TempDir private Path folder;
    private CatalogFiles files;

    @BeforeEach
    void writeProducts() throws IOException {
        TestProducts.write(folder);
        Files.writeString(
                folder.resolve("items_ins_v2.json"),
                "{\"B000000003\": {\"instruction\": \"Find lamps\", \"instruction_attributes\": []}}");
        files = CatalogFiles.in(folder, 0);
    }

    @Test
    void goalsOfPeopleDoNotMind() {
        try (Inventory inventory = Inventory.inMemory(files)) {
            assertEquals(1, book(inventory, GoalKind.HUMAN).size());
        }
    }

    @Test
    void syntheticGoalsAreRefusedAsTheOriginalDoesAndTheProductIsNamed() {
        try (Inventory inventory = Inventory.inMemory(files)) {
            refused(inventory);
        }
        Optional<Path> cache = Optional.of(folder.resolve("cache"));
        Inventory.onDisk(files, cache).close();
        try (Inventory found = Inventory.onDisk(files, cache)) {
            refused(found);
        }
    }

    private static void refused(Inventory inventory) {
        WebshopException e =
                assertThrows(WebshopException.class, () -> book(inventory, GoalKind.SYNTHETIC));
        assertTrue(e.getMessage().contains("B000000003"), e.getMessage());
    }

    private static GoalBook book(Inventory inventory, GoalKind kind) {
        return GoalBook.of(inventory, GoalRules.original(kind, 1));
    }
}
