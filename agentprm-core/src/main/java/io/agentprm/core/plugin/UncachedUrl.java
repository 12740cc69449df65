package io.agentprm.core.plugin;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;

/** URLs into a JAR that do not leave it open: Java keeps one opened by a URL for ever. */
final class UncachedUrl {
    private UncachedUrl() {}

    /** The same place. */
    static URL of(URL url) {
        return make(
                url.toExternalForm(),
                new URLStreamHandler() {
                    @Override
                    protected URLConnection openConnection(URL place) throws IOException {
                        return open(new URL(place.toExternalForm()));
                    }
                });
    }

    /** A text that is read as if it stood at that place. */
    static URL of(String place, byte[] text) {
        return make(
                place,
                new URLStreamHandler() {
                    @Override
                    protected URLConnection openConnection(URL url) {
                        return new Text(url, text);
                    }
                });
    }

    /** Reads the place without the cache of opened JARs. */
    static URLConnection open(URL url) throws IOException {
        URLConnection connection = url.openConnection();
        connection.setUseCaches(false);
        return connection;
    }

    private static URL make(String place, URLStreamHandler handler) {
        try {
            return new URL(null, place, handler);
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("no URL: " + place, e);
        }
    }

    /** A connection to what is in memory. */
    private static final class Text extends URLConnection {
        private final byte[] text;

        Text(URL url, byte[] text) {
            super(url);
            this.text = text;
        }

        @Override
        public void connect() {
            connected = true;
        }

        @Override
        public InputStream getInputStream() {
            return new ByteArrayInputStream(text);
        }
    }
}
