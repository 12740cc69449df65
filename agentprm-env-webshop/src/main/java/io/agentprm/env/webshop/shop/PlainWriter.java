package io.agentprm.env.webshop.shop;

import io.agentprm.env.webshop.python.PythonText;

/** {@link ObservationMode#TEXT}. */
final class PlainWriter implements PageWriter {
    static final String SEPARATOR = " [SEP] ";

    private final StringBuilder out = new StringBuilder();
    private boolean started;

    @Override
    public void text(String text) {
        String parsed = PageWriter.parsed(text);
        if (parsed.isEmpty()) {
            return;
        }
        if (started) {
            out.append(SEPARATOR);
        }
        started = true;
        out.append(PythonText.strip(parsed));
    }

    @Override
    public void button(String text) {
        text(text);
    }

    @Override
    public void option(String group, String value) {
        text(value);
    }

    @Override
    public void link(String asin, String name) {
        text(name);
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
