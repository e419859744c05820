/* test_yaml.c - what is read of YAML, and what is refused with its line: tests/data/import/yaml.tsv. */
#include "import/yaml.h"

#include "read_table.h"
#include "test.h"

#include <stdio.h>

/* \n, \t, \r, \0 and \\ in a cell. */
static Buf unescaped(const char *cell)
{
    static const char letters[] = "ntr0\\", meant[] = "\n\t\r\0\\";
    Buf out = { 0 };
    buf_clear(&out);
    for (; *cell; cell++) {
        const char *letter = *cell == '\\' ? strchr(letters, cell[1]) : NULL;
        if (letter) cell++;
        buf_putc(&out, letter ? meant[letter - letters] : *cell);
    }
    return out;
}

static void print_entries(const YamlMap *yaml, Buf *out)
{
    for (size_t i = 0; i < yaml->count; i++) {
        const YamlEntry *entry = &yaml->entry[i];
        assert_int_equal(strlen(entry->key.text), entry->key.length);
        buf_printf(out, "%s%s", i ? " " : "", entry->key.text);
        if (entry->item >= 0) buf_printf(out, "[%d]", entry->item);
        buf_printf(out, "=%s", entry->value.text);
    }
}

static void check_case(char *const cell[CELLS_MOST], int cells)
{
    Err e;
    YamlMap yaml = { 0 };
    Buf text = unescaped(cell[0]), wanted = unescaped(cells > 1 ? cell[1] : ""), found = { 0 };
    buf_clear(&found);
    /* exactly as long as it is, so that a sanitizer sees any read beyond it */
    char *bytes = malloc(text.length ? text.length : 1);
    memcpy(bytes, text.text, text.length);
    if (yamlmap_read(&yaml, (Slice){ bytes, text.length }, &e)) buf_printf(&found, "refused: %s", e.text);
    else print_entries(&yaml, &found);
    if (!strncmp(wanted.text, "refused", 7)) found.text[strnlen(found.text, wanted.length)] = '\0';
    assert_string_equal(found.text, wanted.text);
    free(bytes);
    yamlmap_free(&yaml);
    buf_free(&text);
    buf_free(&wanted);
    buf_free(&found);
}

UNIT_TEST(a_mapping_should_be_read_and_the_rest_refused)
{
    each_case("tests/data/import/yaml.tsv", check_case);
}

UNIT_TEST(the_first_of_equal_keys_should_count)
{
    Err e;
    YamlMap yaml = { 0 };
    assert_int_equal(yamlmap_read(&yaml, slice_of("a: 1\na: 2\nb: [3]\n"), &e), 0);
    assert_string_equal(yamlmap_text(&yaml, "a"), "1");
    assert_null(yamlmap_text(&yaml, "b"));
    assert_null(yamlmap_text(&yaml, "c"));
    yamlmap_free(&yaml);
}

int main(void) { return run_unit_tests(); }
