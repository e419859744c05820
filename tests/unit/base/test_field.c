/* test_field.c - every kind of field through text, JSON and back, and the messages for what is
 * refused. */
#include "base/field.h"
#include "test.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct {
    int         width;
    uint64_t    seed;
    double      rate, limit;
    int         deep, order, sides[2];
    const char *path;
} Things;

static const char *const orders[] = { "forward", "backward", NULL };

static const Field fields[] = {
    { .name = "width", .kind = FIELD_INT, .offset = offsetof(Things, width), .low = 1,
      .high = 65536 },
    { .name = "seed", .kind = FIELD_SEED, .offset = offsetof(Things, seed) },
    { .name = "rate", .kind = FIELD_REAL, .offset = offsetof(Things, rate), .low = 0,
      .high = HUGE_VAL },
    { .name = "time-limit", .kind = FIELD_TIME, .offset = offsetof(Things, limit), .low = 1,
      .high = 86400 },
    { .name = "deep", .kind = FIELD_FLAG, .offset = offsetof(Things, deep) },
    { .name = "order", .kind = FIELD_CHOICE, .offset = offsetof(Things, order), .choices = orders },
    { .name = "sides", .kind = FIELD_PAIR, .offset = offsetof(Things, sides), .low = 1, .high = 99 },
    { .name = "path", .kind = FIELD_TEXT, .offset = offsetof(Things, path) },
    { .name = NULL }
};

static const Field *named(const char *name)
{
    const Field *field = fields_find(fields, name, strlen(name));
    assert_non_null(field);
    return field;
}

static void set(Things *things, const char *name, const char *text)
{
    Err e = { "" };
    if (field_set(named(name), things, text, &e)) fail_msg("%s", e.text);
}

static void assert_refused(const char *name, const char *text, const char *message)
{
    Things before, things;
    memset(&things, 7, sizeof things);
    before = things;
    Err e = { "" };
    assert_int_equal(field_set(named(name), &things, text, &e), -1);
    if (message) assert_string_equal(e.text, message);
    assert_memory_equal(&before, &things, sizeof things);
}

static void assert_prints(const Things *things, const char *name, const char *text)
{
    Buf out = { 0 };
    buf_clear(&out);
    field_print(named(name), things, &out);
    assert_string_equal(out.text, text);
    buf_free(&out);
}

UNIT_TEST(every_kind_should_be_set_from_text)
{
    Things t = { 0 };
    set(&t, "width", "256");
    set(&t, "seed", "1000000000000000");
    set(&t, "rate", "1e-3");
    set(&t, "deep", "on");
    set(&t, "order", "backward");
    set(&t, "path", "corpus.tsv");
    set(&t, "sides", "2,4");
    assert_int_equal(t.sides[0], 2);
    assert_int_equal(t.sides[1], 4);
    assert_int_equal(t.width, 256);
    assert_true(t.seed == 1000000000000000);
    assert_true(t.rate == 1e-3);
    assert_int_equal(t.deep, 1);
    assert_int_equal(t.order, 1);
    assert_string_equal(t.path, "corpus.tsv");
    set(&t, "deep", "off");
    assert_int_equal(t.deep, 0);
    assert_ptr_equal(fields_find(fields, "seed=1", 4), &fields[1]);
    assert_true(!fields_find(fields, "seed", 3) && !fields_find(fields, "seeds", 5));
}

UNIT_TEST(times_should_be_read_in_seconds_minutes_hours_and_days)
{
    Things t = { 0 };
    const struct { const char *text; double seconds; } cases[] = {
        { "90", 90 }, { "90s", 90 }, { "6m", 360 }, { "1.5h", 5400 }, { "2.5", 2.5 }, { "1d", 86400 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set(&t, "time-limit", cases[i].text);
        assert_true(t.limit == cases[i].seconds);
    }
}

UNIT_TEST(both_ends_of_a_range_should_be_accepted)
{
    Things t = { 0 };
    set(&t, "width", "1");
    set(&t, "width", "65536");
    set(&t, "rate", "0");
    set(&t, "time-limit", "24h");
    assert_refused("width", "0", "--width: '0' is not a whole number from 1 to 65536");
    assert_refused("width", "65537", "--width: '65537' is not a whole number from 1 to 65536");
    assert_refused("rate", "-1e-9", "--rate: '-1e-9' is not a number of at least 0");
    assert_refused("time-limit", "25h", "--time-limit: '25h' is not a time from 1 to 86400 "
                   "seconds, such as 90, 6m, 1.5h, 2d");
}

UNIT_TEST(text_that_is_no_number_should_be_refused_and_change_nothing)
{
    const char *const texts[] = { "", "ten", " 1", "1 ", "1x", "0x10", "inf", "nan", "1e999",
                                  "--1", "1.2.3", "+" };
    const char *const names[] = { "width", "seed", "rate", "time-limit" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t j = 0; j < sizeof names / sizeof *names; j++)
            assert_refused(names[j], texts[i], NULL);
    assert_refused("width", "1.5", "--width: '1.5' is not a whole number from 1 to 65536");
    const char *const times[] = { "6w", "6mm", "m", "1h30m", "1 h", "1h ", "2d" };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        assert_refused("time-limit", times[i], NULL);
    const char *const pairs[] = { "", "2", "2,", ",4", "2,4,", "2,4,6", "2 4", "2, 4", "a,b", "0,1" };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_refused("sides", pairs[i], NULL);
    assert_refused("sides", "1,100", "--sides: '1,100' is not two whole numbers from 1 to 99, such as 2,4");
    assert_refused("seed", "-1", "--seed: '-1' is not a whole number from 0 to "
                   "1000000000000000");
}

UNIT_TEST(unknown_words_should_be_refused_with_the_known_ones)
{
    assert_refused("order", "sideways", "--order: 'sideways' is not one of forward, backward");
    assert_refused("order", "backwards",
                   "--order: 'backwards' is not one of forward, backward; did you mean 'backward'?");
    assert_refused("order", "for", NULL);
    assert_refused("deep", "yes", "--deep: 'yes' is not on or off");
}

UNIT_TEST(printed_values_should_be_read_back_as_the_same)
{
    Things t = { 256, 1000000000000000, 0.1, 5400, 1, 1, { 2, 4 }, "a b" };
    assert_prints(&t, "width", "256");
    assert_prints(&t, "seed", "1000000000000000");
    assert_prints(&t, "rate", "0.1");
    assert_prints(&t, "time-limit", "5400");
    assert_prints(&t, "deep", "on");
    assert_prints(&t, "order", "backward");
    assert_prints(&t, "path", "a b");
    assert_prints(&t, "sides", "2,4");
    t.rate = 1.0 / 3;
    Buf out = { 0 };
    field_print(named("rate"), &t, &out);
    Things again = { 0 };
    set(&again, "rate", out.text);
    assert_true(again.rate == t.rate);
    buf_free(&out);
    assert_prints(&(Things){ 0 }, "path", "");
}

UNIT_TEST(json_should_give_the_struct_back)
{
    const Things all[] = {
        { 256, 7, 0.1, 5400, 1, 1, { 1, 99 }, "a \"b\"" },
        { 1, 1000000000000000, 1.0 / 3, 1.5, 0, 0, { 4, 2 }, NULL },
        { 65536, 999999999999999, 1e300, 86400, 0, 1, { 3, 3 }, "" },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        cJSON *json = fields_to_json(fields, &all[i]);
        char *text = json_text(json, 0);
        Err e = { "" };
        cJSON *again = json_parse(text, strlen(text), &e);
        Things t = { 0 };
        t.path = "before";
        if (fields_from_json(fields, &t, again, &e)) fail_msg("%s", e.text);
        assert_int_equal(t.width, all[i].width);
        assert_true(t.seed == all[i].seed && t.rate == all[i].rate && t.limit == all[i].limit);
        assert_int_equal(t.deep, all[i].deep);
        assert_int_equal(t.order, all[i].order);
        assert_memory_equal(t.sides, all[i].sides, sizeof t.sides);
        if (all[i].path) assert_string_equal(t.path, all[i].path);
        else assert_null(t.path);
        cJSON_Delete(again);
        cJSON_free(text);
        cJSON_Delete(json);
    }
}

UNIT_TEST(wrong_json_should_be_refused_by_name)
{
    const struct { const char *json, *message; } cases[] = {
        { "[]", "the settings are not a JSON object" },
        { "{\"width\": 0}", "width: 0 is not a whole number from 1 to 65536" },
        { "{\"width\": 1.5}", "width: 1.5 is not a whole number from 1 to 65536" },
        { "{\"width\": \"4\"}", "width: \"4\" is not a whole number from 1 to 65536" },
        { "{\"time-limit\": \"6m\"}", "time-limit: \"6m\" is not a time from 1 to 86400 seconds" },
        { "{\"rate\": 1e999}", "rate: null is not a number of at least 0" },
        { "{\"seed\": 1e17}", "seed: 1e+17 is not a whole number from 0 to 1000000000000000" },
        { "{\"seed\": 1000000000000001}",
          "seed: 1000000000000001 is not a whole number from 0 to 1000000000000000" },
        { "{\"seed\": -1}", "seed: -1 is not a whole number from 0 to 1000000000000000" },
        { "{\"deep\": 1}", "deep: 1 is not true or false" },
        { "{\"order\": 1}", "order: 1 is not one of forward, backward" },
        { "{\"order\": \"forwrad\"}", "order: \"forwrad\" is not one of forward, backward; "
                                      "did you mean \"forward\"?" },
        { "{\"order\": null}", "order: null is not one of forward, backward" },
        { "{\"sides\": [1,2,3]}", "sides: [1,2,3] is not two whole numbers from 1 to 99" },
        { "{\"sides\": [1,\"2\"]}", "sides: [1,\"2\"] is not two whole numbers from 1 to 99" },
        { "{\"sides\": {\"a\":1,\"b\":2}}", "sides: {\"a\":1,\"b\":2} is not two whole numbers from 1 to 99" },
        { "{\"path\": 1}", "path: 1 is not a text" },
        { "{\"widht\": 1}", "\"widht\" is not a known setting; did you mean \"width\"?" },
        { "{\"Width\": 1}", "\"Width\" is not a known setting; did you mean \"width\"?" },
        { "{\"colour\": 1}", "\"colour\" is not a known setting" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err e = { "" };
        Things t = { 0 };
        cJSON *json = json_parse(cases[i].json, strlen(cases[i].json), &e);
        assert_non_null(json);
        assert_int_equal(fields_from_json(fields, &t, json, &e), -1);
        assert_string_equal(e.text, cases[i].message);
        cJSON_Delete(json);
    }
}

/* ---- Lists ---- */

typedef struct { TextList names; } Lists;
static const Field list_fields[] = {
    { .name = "name", .kind = FIELD_TEXTS, .offset = offsetof(Lists, names) },
    { .name = NULL }
};

UNIT_TEST(a_list_should_take_texts_and_its_default_give_way)
{
    Lists lists = { { .text = { "standard" }, .count = 1, .is_default = 1 } };
    Lists again = { { .text = { "before" }, .count = 1 } };
    Err e = { "" };
    Buf out = { 0 };
    assert_int_equal(field_set(list_fields, &lists, "a", &e), 0);
    assert_int_equal(field_set(list_fields, &lists, "b c", &e), 0);
    field_print(list_fields, &lists, &out);
    assert_string_equal(out.text, "a b c");
    cJSON *json = fields_to_json(list_fields, &lists);
    assert_int_equal(fields_from_json(list_fields, &again, json, &e), 0);
    assert_int_equal(again.names.count, 2);
    assert_string_equal(again.names.text[1], "b c");
    cJSON_Delete(json);
    buf_free(&out);
    json = json_parse("{\"name\": [\"a\", 1]}", 18, &e);
    assert_int_equal(fields_from_json(list_fields, &again, json, &e), -1);
    assert_int_equal(again.names.count, 2);
    cJSON_Delete(json);
    lists.names.count = TEXT_LIST_MOST;
    assert_int_equal(field_set(list_fields, &lists, "x", &e), -1);
    assert_string_equal(e.text, "--name: 'x' is not one of at most 64 texts");
}

/* ---- Words ---- */

typedef struct { char word[FIELD_WORD_BYTES], after; } Word;
static const Field word_fields[] = {
    { .name = "word", .kind = FIELD_WORD, .offset = offsetof(Word, word) },
    { .name = NULL }
};

UNIT_TEST(a_word_should_be_kept_whatever_becomes_of_its_text)
{
    Word one = { .after = 'x' }, other = { .word = "longer than that" };
    Err e = { "" };
    char given[] = "pt-BR";
    assert_int_equal(field_set(word_fields, &one, given, &e), 0);
    *given = '\0';
    cJSON *json = fields_to_json(word_fields, &one);
    assert_int_equal(fields_from_json(word_fields, &other, json, &e), 0);
    cJSON_Delete(json);
    assert_memory_equal(other.word, one.word, sizeof one.word);
    assert_string_equal(other.word, "pt-BR");
    assert_int_equal(field_set(word_fields, &one, "", &e), 0);
    json = fields_to_json(word_fields, &one);
    assert_true(cJSON_IsNull(json->child));
    assert_int_equal(fields_from_json(word_fields, &other, json, &e), 0);
    assert_string_equal(other.word, "");
    cJSON_Delete(json);
    assert_int_equal(field_set(word_fields, &one, "as long as it may be: 35 bytes, full", &e), -1);
    assert_string_equal(e.text, "--word: 'as long as it may be: 35 bytes, full' is not a text of at most 35 bytes");
    assert_int_equal(field_set(word_fields, &one, "as long as it may be: 35 bytes full", &e), 0);
    assert_int_equal(one.after, 'x');
}

/* ---- automatic values ---- */

typedef struct { int count, fixed; double share, time; int pair[2]; } Chosen;

static const Field chosen_fields[] = {
    { .name = "count", .kind = FIELD_INT, .offset = offsetof(Chosen, count), .low = 1, .high = 9,
      .automatic = 1 },
    { .name = "fixed", .kind = FIELD_INT, .offset = offsetof(Chosen, fixed), .low = 1, .high = 9 },
    { .name = "share", .kind = FIELD_REAL, .offset = offsetof(Chosen, share), .low = 0, .high = 1,
      .automatic = 1 },
    { .name = "time", .kind = FIELD_TIME, .offset = offsetof(Chosen, time), .low = 0, .high = 99,
      .automatic = 1 },
    { .name = "pair", .kind = FIELD_PAIR, .offset = offsetof(Chosen, pair), .low = 1, .high = 9,
      .automatic = 1 },
    { .name = NULL }
};

UNIT_TEST(what_is_automatic_should_be_settled_and_the_rest_stay)
{
    Err e;
    Chosen c = { 1, 2, 0.5, 3, { 4, 5 } };
    const Chosen values = { 5, 6, 0.25, 7, { 8, 9 } };
    assert_null(fields_unsettled(chosen_fields, &c));
    fields_automate(chosen_fields, &c);
    assert_int_equal(c.count, FIELD_AUTO);
    assert_int_equal(c.fixed, 2);
    assert_string_equal(fields_unsettled(chosen_fields, &c)->name, "count");
    assert_int_equal(field_set(&chosen_fields[0], &c, "4", &e), 0);
    assert_string_equal(fields_unsettled(chosen_fields, &c)->name, "share");
    fields_settle(chosen_fields, &c, &values);
    assert_null(fields_unsettled(chosen_fields, &c));
    assert_int_equal(c.count, 4);
    assert_int_equal(c.fixed, 2);
    assert_true(c.share == 0.25 && c.time == 7);
    assert_true(c.pair[0] == 8 && c.pair[1] == 9);
}

/* As text and as JSON, there and back. */
UNIT_TEST(auto_should_be_a_value_of_the_rows_that_say_so)
{
    Err e;
    Chosen c = { 1, 2, 0.5, 3, { 4, 5 } }, again = c;
    Buf text = { 0 };
    assert_int_equal(field_set(&chosen_fields[0], &c, "auto", &e), 0);
    assert_int_equal(field_set(&chosen_fields[2], &c, "auto", &e), 0);
    assert_int_equal(field_set(&chosen_fields[4], &c, "auto", &e), 0);
    assert_int_equal(field_set(&chosen_fields[1], &c, "auto", &e), -1);
    assert_string_equal(e.text, "--fixed: 'auto' is not a whole number from 1 to 9");
    assert_int_equal(field_set(&chosen_fields[0], &c, "ten", &e), -1);
    assert_string_equal(e.text, "--count: 'ten' is not a whole number from 1 to 9, or auto");
    field_print(&chosen_fields[2], &c, &text);
    assert_string_equal(text.text, "auto");
    buf_free(&text);
    cJSON *json = fields_to_json(chosen_fields, &c);
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(json, "count")->valuestring, "auto");
    assert_int_equal(fields_from_json(chosen_fields, &again, json, &e), 0);
    assert_int_equal(again.count, FIELD_AUTO);
    assert_int_equal(again.pair[0], FIELD_AUTO);
    assert_true(again.share == c.share && again.share < 0 && again.time == 3);
    cJSON_Delete(json);
    json = cJSON_Parse("{\"fixed\":\"auto\"}");
    assert_int_equal(fields_from_json(chosen_fields, &again, json, &e), -1);
    cJSON_Delete(json);
}

int main(void) { return run_unit_tests(); }
