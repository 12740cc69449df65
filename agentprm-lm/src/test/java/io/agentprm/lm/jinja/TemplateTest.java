package io.agentprm.lm.jinja;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The language of templates; what is expected was rendered by Jinja2 3.1.6. */
class TemplateTest {
    private static final Map<String, Object> VARIABLES =
            Map.of("n", 3, "name", "Ada", "list", List.of("b", "a", "b"), "map", map());

    private static Map<String, Object> map() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("x", 1);
        map.put("y", List.of(true, "q'\"\n"));
        map.put("z", 0.5);
        return map;
    }

    private static String render(String template) {
        return Template.compile("t.jinja", template).render(VARIABLES);
    }

    private static void fails(String template, String... parts) {
        JinjaException e = assertThrows(JinjaException.class, () -> render(template));
        for (String part : parts) {
            assertTrue(e.getMessage().contains(part), e.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '@',
            quoteCharacter = '`',
            value = {
                "{{ 1 + 2 * 3 - 4 // 3 }}@6",
                "{{ 7 / 2 }} {{ 7 % 3 }} {{ -7 // 2 }} {{ 2 ** 3 ** 2 }}@3.5 1 -4 64",
                "{{ 1 ~ 'a' ~ true ~ none ~ 1.0 ~ 1e20 ~ 1e-7 }}@1aTrueNone1.01e+201e-07",
                "{{ 1 < 2 < 3 }} {{ 3 > 2 == 2 }} {{ not 1 == 2 }}@True True True",
                "{{ 'a' in list }} {{ 'c' not in list }} {{ 'd' in name }} {{ 'x' in map }}@True True True True",
                "{{ n and name }} {{ '' or 'else' }} {{ missing or 'none' }}@Ada else none",
                "{{ 'yes' if n > 2 else 'no' }} [{{ 'yes' if n > 3 }}]@yes []",
                "{{ list[0] }}{{ list[-1] }} {{ list[1:] }} {{ list[::-1] }} {{ name[:-1] }}@bb ['a', 'b'] ['b', 'a', 'b'] Ad",
                "{{ list[5:] }} {{ name[::2] }} {{ list[-2:2] }}@[] Aa ['a']",
                "{{ map.x }} {{ map['y'][0] }} {{ map.get('q', 7) }} [{{ map.q }}]@1 True 7 []",
                "{{ map | tojson }}@{\"x\": 1, \"y\": [true, \"q'\\\"\\n\"], \"z\": 0.5}",
                "{{ map }}@{'x': 1, 'y': [True, 'q\\'\"\\n'], 'z': 0.5}",
                "{{ ' x '|trim }}@x",
                "{{ name|upper|lower|length }} {{ list|join('-') }} {{ list|unique|list|length }}@3 b-a-b 2",
                "{{ missing|default('d') }} {{ ''|default('d') }} {{ ''|default('d', true) }}@d  d",
                "{{ list|first }} {{ list|last }} {{ '3'|int + 1 }} {{ 'x'|int }}@b b 4 0",
                "{{ list|select('equalto', 'b')|list|length }} {{ list|reject('in', ['b'])|join }}@2 a",
                "{{ [map]|map(attribute='x')|list }} {{ [map]|selectattr('x', 'equalto', 1)|list|length }}@[1] 1",
                "{{ [map]|selectattr('q', 'defined')|list }} {{ list|map('upper')|join }}@[] BAB",
                "{{ n is number }} {{ n is string }} {{ name is string }} {{ map is mapping }} {{ none is none }}@True False True True True",
                "{{ missing is defined }} {{ missing is not defined }} {{ n is odd }} {{ n is divisibleby 3 }}@False True True True",
                "{{ 'a,b,c'.split(',')[-1] }} {{ 'a  b'.split() }} {{ 'a,b,c'.split(',', 1) }}@c ['a', 'b'] ['a', 'b,c']",
                "{{ name.startswith('A') }} {{ 'xxaxx'.strip('x') }} {{ 'ab'.replace('a', 'c') }}@True a cb",
                "{{ 'n = %s'.upper() }} {{ 'the end'.title() }} {{ 'ABC'.capitalize() }}@N = %S The End Abc",
                "{% for k, v in map.items() %}{{ k }}={{ loop.index }}{{ ',' if not loop.last }}{% endfor %}@x=1,y=2,z=3",
                "{% for x in list if x == 'b' %}{{ x }}{{ loop.length }}{% else %}none{% endfor %}@b2b2",
                "{% for x in [] %}{{ x }}{% else %}none{% endfor %}@none",
                "{% for x in range(5) %}{% if x == 1 %}{% continue %}{% endif %}{% if x == 3 %}{% break %}{% endif %}{{ x }}{% endfor %}@02",
                "{% set x = 1 %}{% for i in [1, 2] %}{% set x = x + i %}{% endfor %}{{ x }}@1",
                "{% set s = namespace(x=1) %}{% for i in [1, 2] %}{% set s.x = s.x + i %}{% endfor %}{{ s.x }}@4",
                "{% set a, b = [1, 2] %}{{ b }}{{ a }}{% set c %}<{{ a }}>{% endset %}{{ c }}@21<1>",
                "{% macro m(a, b='d') %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }} {{ m(b=2, a=3) }}@1d 32",
                "{{ 'a' 'b' }} {{ (1, 2)[1] }} {{ {'a': 1}['a'] }} {{ \"\\u00e9\\x41\\q\" }}@ab 2 1 éA\\q",
                "{% raw %}{{ x }}{% endraw %}{# note #}!@{{ x }}!",
                "{{ '{{ name }}' }} {{ '%}' }}@{{ name }} %}",
                "{{ {'a': {'b': 1}} }}@{'a': {'b': 1}}",
                "{% generation %}{{ name }}{% endgeneration %}@Ada"
            })
    void expressionsAndStatementsMeanWhatTheyMeanInJinja2(String template, String expected) {
        assertEquals(expected, render(template));
    }

    @Test
    void blanksAroundTagsFollowTheSettingsOfTokenizers() {
        assertEquals("a\n  3\nb", render("a\n  {% if n %}\n  {{ n }}\n  {% endif %}\nb\n"));
        assertEquals("a3b", render("a\n  {%- if n -%}\n  {{ n }}\n  {%- endif -%}\nb"));
        assertEquals("  x\n", render("  {{ 'x' }}\n\n"));
        assertEquals("  a", render("  {%+ if n %}a{% endif %}"));
        assertEquals("\na", render("{% if n +%}\na{% endif %}"));
        assertEquals("ab", render("a{# note -#}   b"));
        assertEquals("a\nb", render("a\r\n{# note #}\r\nb"));
    }

    @Test
    void jsonIsIndentedAsByPython() {
        assertEquals(
                "{\n  \"x\": 1,\n  \"y\": [\n    true,\n    \"q'\\\"\\n\"\n  ],\n  \"z\": 0.5\n}",
                render("{{ map | tojson(indent=2) }}"));
        assertEquals("[] {}", render("{{ [] | tojson(indent=2) }} {{ {} | tojson(indent=2) }}"));
    }

    @Test
    void blanksOfPythonAreStripped() {
        assertEquals("[x]", render("[{{ '\\u00a0\\u2003 x\\u0085\\n' | trim }}]"));
    }

    @Test
    void errorsNameTemplateAndLine() {
        fails("a\n{{ missing.x }}", "t.jinja, line 2", "'missing' is undefined");
        fails("{% if n %}\n\n{{ 1 + 'a' }}{% endif %}", "t.jinja, line 3", "number and a text");
        fails("{% for x in n %}{% endfor %}", "line 1", "no elements");
        fails("{{ x", "line 1", "not closed by }}");
        fails("{% if n %}", "line 1", "endif");
        fails("\n{{ n | frobnicate }}", "line 2", "'frobnicate' is not covered");
        fails("{% include 'x' %}", "'include' is not covered");
        fails("{{ n is weird }}", "'weird' is not covered");
        fails("{{ raise_exception('roles must alternate') }}", "line 1", "roles must alternate");
    }

    @Test
    void templatesReachNothingOfJava() {
        fails("{{ name.getClass() }}", "'getClass' is undefined");
        fails("{{ map.put('a', 1) }}", "'put' is undefined");
    }
}
