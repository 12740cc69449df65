package io.agentprm.env.webshop.search;

import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.python.PythonText;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.util.BytesRef;

/** A product as a document of the index. */
final class IndexedFields {
    static final String CONTENTS = "contents";
    static final String ASIN = "id";
    static final String CATEGORY = "category";
    static final String QUERY = "query";
    static final String ORDINAL = "ordinal";

    /** Like goods have the same value. */
    private static final String KIND = "kind";

    /**
     * Order of the documents: like goods stand together, so that a search can pass over those of
     * other kinds in blocks, as their best score cannot reach that of the hits so far. No result
     * depends on it.
     */
    static final Sort ORDER = new Sort(new SortField(KIND, SortField.Type.STRING));

    private IndexedFields() {}

    static Document of(int ordinal, Product product) {
        Document document = new Document();
        document.add(new TextField(CONTENTS, contents(product), Field.Store.NO));
        document.add(new StringField(ASIN, product.asin(), Field.Store.NO));
        document.add(new SortedDocValuesField(ASIN, new BytesRef(product.asin())));
        document.add(new StringField(CATEGORY, product.category(), Field.Store.NO));
        document.add(new StringField(QUERY, product.query(), Field.Store.NO));
        document.add(new SortedDocValuesField(KIND, new BytesRef(kind(product))));
        document.add(new NumericDocValuesField(ORDINAL, ordinal));
        return document;
    }

    private static String kind(Product product) {
        return String.join("\n", product.category(), product.productCategory(), product.query());
    }

    /** What is searched: title, description, the first feature and the options. */
    static String contents(Product product) {
        StringBuilder text =
                new StringBuilder(product.title())
                        .append(' ')
                        .append(product.description())
                        .append(' ')
                        .append(product.bullets().get(0))
                        .append(' ');
        String separator = "";
        for (Map.Entry<String, List<String>> group : product.options().entrySet()) {
            text.append(separator)
                    .append(group.getKey())
                    .append(": ")
                    .append(String.join(", ", group.getValue()));
            separator = ", and ";
        }
        return PythonText.lower(text.toString());
    }
}
