package io.agentprm.lm.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.lm.LanguageModelException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Tensors spread over several files by a {@code model.safetensors.index.json}. */
final class ShardedTensors implements Tensors {
    private final Path index;
    private final Map<String, SafetensorsFile> files;
    private final Map<String, SafetensorsFile> byName;

    private ShardedTensors(
            Path index, Map<String, SafetensorsFile> files, Map<String, SafetensorsFile> byName) {
        this.index = index;
        this.files = files;
        this.byName = byName;
    }

    static ShardedTensors open(Path file) {
        Path index = file.toAbsolutePath().normalize();
        JsonNode map = Json.readObject(index).path("weight_map");
        if (!map.isObject()) {
            throw new LanguageModelException(index + ": weight_map is missing");
        }
        ShardedTensors sharded = new ShardedTensors(index, new TreeMap<>(), new TreeMap<>());
        try {
            for (Map.Entry<String, JsonNode> e : map.properties()) {
                sharded.add(e.getKey(), e.getValue().asText());
            }
            sharded.requireIndexed();
            return sharded;
        } catch (LanguageModelException e) {
            sharded.close();
            throw e;
        }
    }

    private void add(String name, String fileName) {
        Path path = index.resolveSibling(fileName).normalize();
        if (!index.getParent().equals(path.getParent())) {
            throw new LanguageModelException(
                    index + ": shard '" + fileName + "' of " + name + " is outside the directory");
        }
        SafetensorsFile file = files.get(fileName);
        if (file == null) {
            file = SafetensorsFile.open(path);
            files.put(fileName, file);
        }
        if (!file.names().contains(name)) {
            throw new LanguageModelException(
                    index + " places " + name + " in " + fileName + ", which does not hold it");
        }
        byName.put(name, file);
    }

    private void requireIndexed() {
        for (SafetensorsFile file : files.values()) {
            for (String name : file.names()) {
                if (byName.get(name) != file) {
                    throw new LanguageModelException(
                            file.path()
                                    + " holds "
                                    + name
                                    + ", which the index does not place there");
                }
            }
        }
    }

    @Override
    public Set<String> names() {
        return Collections.unmodifiableSet(byName.keySet());
    }

    @Override
    public TensorShape shape(String name) {
        return file(name).shape(name);
    }

    @Override
    public ElementType elementType(String name) {
        return file(name).elementType(name);
    }

    @Override
    public ByteBuffer bytes(String name) {
        return file(name).bytes(name);
    }

    @Override
    public void read(String name, long from, FloatBuffer target) {
        file(name).read(name, from, target);
    }

    @Override
    public void close() {
        files.values().forEach(SafetensorsFile::close);
    }

    private SafetensorsFile file(String name) {
        SafetensorsFile file = byName.get(name);
        if (file == null) {
            throw new LanguageModelException(index + ": no tensor named " + name);
        }
        return file;
    }
}
