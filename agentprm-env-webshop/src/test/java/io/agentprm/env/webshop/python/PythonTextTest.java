package io.agentprm.env.webshop.python;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Text comes out as from Python. */
class PythonTextTest {
    @ParameterizedTest
    @CsvSource({
        "64.98, 64.98",
        "100, 100.0",
        "0.0001, 0.0001",
        "0.00001, 1e-05",
        "1e15, 1000000000000000.0",
        "1e16, 1e+16",
        "1.5e22, 1.5e+22",
        "2e-3, 0.002",
        "0.1, 0.1",
        "0.30000000000000004, 0.30000000000000004",
        "2.2250738585072014E-308, 2.2250738585072014e-308"
    })
    void numbersHaveTheShortestDigitsInPythonsForm(double number, String text) {
        assertEquals(text, PythonText.repr(number));
    }

    @Test
    void numbersThatJavaWritesTooLongAreShort() {
        assertEquals("2e+23", PythonText.repr(2e23));
        assertEquals("-0.0", PythonText.repr(-0.0));
    }

    @Test
    void noBreakSpacesAndSeparatorsAreBlanks() {
        assertEquals("a\u200Bb", PythonText.strip("\u00A0\u001C\u0085 a\u200Bb\u3000\n"));
    }

    @Test
    void stringsAreQuotedAsPythonQuotesThem() {
        assertEquals("'a\"b'", PythonText.repr("a\"b"));
        assertEquals("\"it's\"", PythonText.repr("it's"));
        assertEquals("'it\\'s \"it\"'", PythonText.repr("it's \"it\""));
        assertEquals("'\\xa0\\u200b\\\\\\n é'", PythonText.repr("\u00A0\u200B\\\n é"));
    }

    @Test
    void dictionariesAreWrittenInTheirOrder() {
        Map<String, String> dict = new LinkedHashMap<>();
        dict.put("size", "5' <b>");
        dict.put("color", "\uD83D\uDE00é");
        assertEquals("{'size': \"5' <b>\", 'color': '\uD83D\uDE00é'}", PythonText.repr(dict));
        assertEquals(
                "{\"size\": \"5' <b>\", \"color\": \"\\ud83d\\ude00\\u00e9\"}",
                PythonText.json(dict));
        assertEquals(
                "{\"size\": \"5\\u0027 \\u003cb\\u003e\", \"color\": \"\\ud83d\\ude00\\u00e9\"}",
                PythonText.htmlSafeJson(dict));
    }
}
