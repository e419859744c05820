/* test_json_member.c - lines of files of messages, and what is in their strings. */
#include "text/markup/json_member.h"

#include "scratch.h"

#include <stdlib.h>

/* expected: what is in the string; "": the value is none, or empty; NULL: the line is no member. */
typedef struct { const char *line, *expected; } Case;

static void members_should_be_found_on_lines_of_their_own(void **state)
{
    (void)state;
    static const Case cases[] = {
        { "\"a\": \"Save\",", "Save" }, { "  \"a.b\" : \"Save it.\"", "Save it." }, { "\t\"a\":\"b\" , ", "b" },
        { "\"a \\\" b\": \"say \\\"no\\\"\\\\\",", "say \\\"no\\\"\\\\" }, { "\"a\" = \"Save\";", "Save" },
        { "\"a\": \"\",", "" }, { "\"a\": 3.5e-1,", "" }, { "\"a\": {", "" }, { "\"a\": [],", "" },
        { "\"a\": true", "" }, { " { \"a\": \"b\" },", "" }, { "{\"a\": [", "" }, { "{\"a\": 1", NULL }, { "{a}", NULL },
        { "\"a\": [\"b\", 1],", "" }, { "\"a\": {\"b\": [", "" }, { "\"a\": [b] c", NULL }, { "\"a\": null,", "" },
        { "\"a\": Save", NULL }, { "\"a\": \"b\", \"c\": \"d\"", NULL }, { "\"a\": \"b\"; c", NULL },
        { "\"a\" = 3;", NULL }, { "\"a\" \"b\"", NULL }, { "\"a\": \"b", NULL }, { "\"a\": \"b\\\"", NULL },
        { "a: \"b\"", NULL }, { "\"a", NULL }, { "\"a\" = \"b\"", NULL }, { "\"a\": ...", NULL },
        { "\"a\": -", NULL }, { "\"a\": -1", "" }, { "\"a\"", NULL }, { "\"a\":", NULL }, { "", NULL },
        { "\"Yes\", he said: \"No.\"", NULL }, { "\"a\": \"b\";", NULL }, { "\"a\": [ 1,", NULL }
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const JsonMember m = json_member_of(cases[i].line);
        const JsonMemberKind kind = !cases[i].expected ? JSON_NO_MEMBER : *cases[i].expected ? JSON_TEXT : JSON_OTHER;
        if (m.kind != kind) fail_msg("%s: kind %d", cases[i].line, (int)m.kind);
        if (kind != JSON_TEXT) continue;
        assert_int_equal(m.end - m.begin, strlen(cases[i].expected));
        assert_memory_equal(cases[i].line + m.begin, cases[i].expected, m.end - m.begin);
    }
}

static void strings_should_be_decoded_and_written_again(void **state)
{
    (void)state;
    static const char string[] = "\\u00e9\\t\\\"a\\\" \\\\ \\/\\n\U0001F600", again[] = "é\\t\\\"a\\\" \\\\ /\\n\U0001F600";
    char *text = json_string_decode(string, strlen(string));
    Buf out = { 0 };
    assert_string_equal(text, "é\t\"a\" \\ /\n\U0001F600");
    json_string_add(text, &out);
    assert_string_equal(out.text, again);
    static const char *const unsound[] = { "\\x", "\\'", "\\u0000", "C:\\users", "\\u12", "\\" };
    for (size_t i = 0; i < sizeof unsound / sizeof *unsound; i++)
        assert_null(json_string_decode(unsound[i], strlen(unsound[i])));
    buf_free(&out);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_should_be_found_on_lines_of_their_own),
        cmocka_unit_test(strings_should_be_decoded_and_written_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
