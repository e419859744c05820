/* test_json.c - what json_parse lets in, and what the getters refuse. */
#include "base/json.h"

#include "base/buf.h"
#include "test.h"

#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static cJSON *parsed(const char *text)
{
    Err e = { "" };
    cJSON *json = json_parse(text, strlen(text), &e);
    if (!json) fail_msg("%s", e.text);
    return json;
}

static void assert_refused(const char *text, size_t length, const char *message)
{
    Err e = { "" };
    assert_null(json_parse(text, length, &e));
    assert_string_equal(e.text, message);
}

UNIT_TEST(anything_but_one_value_should_be_refused_with_its_line)
{
    assert_refused("", 0, "line 1: not valid JSON");
    assert_refused("{\n\"a\": 1,\n}", 11, "line 3: not valid JSON");
    assert_refused("{}\n{}", 5, "line 2: more text after the end of the JSON value");
    assert_refused("{\"a\"\n:\0 1}", 10, "line 2: a NUL byte, which JSON may not hold");
    assert_refused("{}\0", 3, "line 1: a NUL byte, which JSON may not hold");
}

UNIT_TEST(text_nested_too_deeply_should_be_refused)
{
    char deep[100000];
    memset(deep, '[', sizeof deep);
    assert_refused(deep, sizeof deep, "line 1: not valid JSON");
}

/* An object with a list in it, so many values in all, and a key whose commas are none; it begins
 * with an error. */
static Buf wrong_text(size_t values)
{
    Buf text = { 0 };
    buf_puts(&text, "{+\"a\\\",,,,\":\n[0");
    for (size_t i = 3; i < values; i++)
        buf_puts(&text, ",0");
    buf_puts(&text, "]}");
    return text;
}

/* Counted before the text is parsed, so that this takes no time. */
UNIT_TEST(more_values_than_memory_should_hold_should_be_refused)
{
    Buf most = wrong_text(JSON_VALUES), more = wrong_text(JSON_VALUES + 1);
    assert_refused(most.text, most.length, "line 1: not valid JSON");
    assert_refused(more.text, more.length, "line 2: more than five million values");
    buf_free(&most);
    buf_free(&more);
}

UNIT_TEST(written_text_should_parse_to_the_same_value)
{
    Err e;
    cJSON *json = json_parse(" \r\n\t{\"word\":\"\\u2581caf\\u00e9\",\"list\":[1,0.1,-2e30,true,null]} \n?", 61, &e);
    assert_non_null(json);
    json_add_exact(json, "exact", 0.1 + 0.2);
    json_setup();           /* what was made before is released after it: both are malloc's */
    for (int indented = 0; indented < 2; indented++) {
        char *text = json_text(json, indented);
        assert_int_equal(strchr(text, '\n') != NULL, indented);
        cJSON *again = parsed(text);
        assert_true(cJSON_GetObjectItemCaseSensitive(again, "exact")->valuedouble == 0.1 + 0.2);
        cJSON_DeleteItemFromObject(again, "exact");
        cJSON *rest = parsed("{\"word\":\"\u2581caf\u00e9\",\"list\":[1,0.1,-2e30,true,null]}");
        assert_true(cJSON_Compare(rest, again, 1));
        cJSON_Delete(rest);
        cJSON_Delete(again);
        free(text);
    }
    cJSON_Delete(json);
}

UNIT_TEST(getters_should_return_what_is_there)
{
    cJSON *json = parsed("{\"i\": 7, \"x\": 0.5, \"s\": \"word\", \"o\": {}, \"a\": []}");
    Err e;
    int i;
    double x;
    const char *s;
    const cJSON *o, *a;
    assert_int_equal(json_get_int(json, "i", 0, 7, &i, &e), 0);
    assert_int_equal(json_get_number(json, "x", &x, &e), 0);
    assert_int_equal(json_get_string(json, "s", &s, &e), 0);
    assert_int_equal(json_get_object(json, "o", &o, &e), 0);
    assert_int_equal(json_get_array(json, "a", &a, &e), 0);
    assert_int_equal(i, 7);
    assert_true(x == 0.5);
    assert_string_equal(s, "word");
    assert_ptr_equal(o, cJSON_GetObjectItemCaseSensitive(json, "o"));
    assert_ptr_equal(a, cJSON_GetObjectItemCaseSensitive(json, "a"));
    cJSON_Delete(json);
}

UNIT_TEST(getters_should_name_the_key_that_is_missing_or_wrong)
{
    cJSON *json = parsed("{\"i\": 7, \"x\": 0.5, \"s\": \"word\", \"large\": 4294967296, \"huge\": 1e999}");
    Err e;
    int i = -3;
    double x;
    const char *s;
    const cJSON *o;
    assert_int_equal(json_get_int(json, "i", 0, 6, &i, &e), -1);
    assert_string_equal(e.text, "\"i\" is 7, not a whole number from 0 to 6");
    assert_int_equal(json_get_int(json, "i", 8, 9, &i, &e), -1);
    assert_int_equal(json_get_int(json, "x", 0, 6, &i, &e), -1);
    assert_string_equal(e.text, "\"x\" is 0.5, not a whole number from 0 to 6");
    assert_int_equal(json_get_int(json, "huge", 0, HUGE_VAL, &i, &e), -1);
    assert_string_equal(e.text, "\"huge\" is beyond the range of numbers");
    assert_int_equal(json_get_int(json, "large", 0, 1e12, &i, &e), -1);
    assert_int_equal(i, -3);
    assert_int_equal(json_get_number(json, "s", &x, &e), -1);
    assert_string_equal(e.text, "\"s\" is not a number");
    assert_int_equal(json_get_string(json, "S", &s, &e), -1);
    assert_string_equal(e.text, "\"S\" is missing; it should be a string");
    assert_int_equal(json_get_object(json, "s", &o, &e), -1);
    assert_string_equal(e.text, "\"s\" is not an object");
    assert_int_equal(json_get_array(json, "s", &o, &e), -1);
    assert_string_equal(e.text, "\"s\" is not an array");
    cJSON_Delete(json);
}

/* The exit status of a process in which cJSON asks for more memory than there is. */
static int status_without_memory(void)
{
    int status;
    if (fork() == 0) {
        close(STDERR_FILENO);
        json_setup();
        _exit(cJSON_malloc(SIZE_MAX) ? 7 : 8);
    }
    wait(&status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

UNIT_TEST(numbers_should_be_those_that_text_shows)
{
    static const struct { int rounded; double number; int digits; double expected; } cases[] = {
        { 1, 59.6949, 2, 59.69 }, { 1, 59.6949, 0, 60 }, { 1, -0.05, 1, -0.1 }, { 1, 0.125, 2, 0.12 },
        { 1, 1e308, 15, 1e308 }, { 0, 0.00030618621784789727, 6, 0.000306186 },
        { 0, 1234567, 3, 1230000 }, { 0, -0.125, 2, -0.12 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cJSON *json = cases[i].rounded ? json_rounded(cases[i].number, cases[i].digits)
                                       : json_significant(cases[i].number, cases[i].digits);
        assert_true(json->valuedouble == cases[i].expected);
        cJSON_Delete(json);
    }
}

UNIT_TEST(want_of_memory_should_end_the_program)
{
    assert_int_equal(status_without_memory(), 1);
}

/* What a terminal obeys or nobody sees; what is next to these, and what begins with the same bytes,
 * stays. */
UNIT_TEST(unprintable_characters_should_be_escaped_and_come_back)
{
    static const char held[] =
        "\033[\x7F\xC2\x80\xC2\x85\xC2\x9B\xC2\x9F\u00A0\u00ADé\u061B\u061C\u180E\u200D\u2027"
        "\u2028\u2029\u202A\u202E\u202F▁\uFEFF\uFF0C\U0001BCA0\U0001D173\U000E0001\U0001F600~";
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, held, held);
    for (int indented = 0; indented < 2; indented++) {
        char *text = json_text(object, indented);
        assert_non_null(strstr(text, "\"\\u001b[\\u007f\\u0080\\u0085\\u009b\\u009f\u00A0\\u00adé\u061B"
                                     "\\u061c\\u180e\u200D\u2027\\u2028\\u2029\\u202a\\u202e\u202F▁"
                                     "\\ufeff\uFF0C\\ud82f\\udca0\\ud834\\udd73\\udb40\\udc01"
                                     "\U0001F600~\""));
        cJSON *again = parsed(text);
        assert_string_equal(again->child->string, held);
        assert_string_equal(again->child->valuestring, held);
        cJSON_Delete(again);
        free(text);
    }
    cJSON_Delete(object);
}

/* What is UTF-8 and doesn't look like a byte stays; the JSON is UTF-8 in any case. */
UNIT_TEST(bytes_should_come_back_from_json)
{
    static const struct { const char *bytes, *text; } cases[] = {
        { "", "" }, { "donn\u00E9es.tsv", "donn\u00E9es.tsv" }, { "donn\xE9" "es.tsv", "donn\\xE9es.tsv" },
        { "C:\\x\\xE\\xE9", "C:\\x\\xE\\x5CxE9" }, { "\\x5CxE9", "\\x5Cx5CxE9" },
        { "\\xe9\\x41\\", "\\xe9\\x41\\" }, { "\\\xE9\\xE\xE9", "\\\\xE9\\xE\\xE9" },
        { "\xED\xA0\x80\xFF\xE2\x82", "\\xED\\xA0\\x80\\xFF\\xE2\\x82" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cJSON *object = cJSON_CreateObject();
        cJSON *list = cJSON_AddArrayToObject(object, "list");
        json_add_bytes(object, "name", cases[i].bytes);
        cJSON_AddItemToArray(list, json_bytes(cases[i].bytes));
        char *text = json_text(object, 0);
        cJSON *again = parsed(text);
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(again, "name");
        assert_string_equal(name->valuestring, cases[i].text);
        json_restore_bytes(again);
        assert_string_equal(name->valuestring, cases[i].bytes);
        assert_string_equal(again->child->child->valuestring, cases[i].bytes);
        free(text);
        cJSON_Delete(again);
        cJSON_Delete(object);
    }
}

int main(void) { return run_unit_tests(); }
