/* test_tag_projection.c - tags of the source in a translation, by attention that is written down. */
#include "translate/tag_projection.h"

#include "base/mem.h"
#include "learn_lines.h"
#include "scratch.h"
#include "text/markup/entities.h"

#include <stdlib.h>

/* Words of one letter, each one piece, and one of two pieces: xy. */
typedef struct { Tokenizer *tokenizer; Model model; } World;

static World world_new(void)
{
    static const char *const lines[] = { "a b c d e x", "a b c d e x xy", ". y" };
    TextOptions options = text_defaults();
    options.tokens = TOKENS_BPE;
    options.vocabulary = 40;
    World w = { .tokenizer = learn_lines(&options, lines, 3) };
    w.model = (Model){ .source = w.tokenizer, .target = w.tokenizer };
    return w;
}

/* A chunk whose translation is `text`; source and text end in <eos>. Digit t of `looks` is the piece
 * of the source at which piece t looks with a weight of 0.6; the rest is spread evenly. */
typedef struct { Chunk chunk; Hypothesis h; } Case;

static Case case_of(const World *w, const char *source, const char *text, const char *looks)
{
    Case c = { .h = { .length = 0 } };
    Ids from = { 0 }, to = { 0 };
    tokenizer_encode(w->tokenizer, source, strlen(source), &from, NULL);
    tokenizer_encode(w->tokenizer, text, strlen(text), &to, NULL);
    assert_int_equal(to.count, strlen(looks));
    ids_add(&from, ID_EOS);
    ids_add(&to, ID_EOS);
    c.chunk.source_ids = from.id;
    c.chunk.source_length = (int)from.count;
    c.h.ids = to.id;
    c.h.length = (int)to.count;
    c.h.attention = xcalloc(from.count * to.count, sizeof(float));
    for (size_t t = 0; t < to.count; t++)
        for (size_t s = 0; s < from.count; s++) {
            const size_t look = t + 1 < to.count ? (size_t)(looks[t] - '0') : from.count - 1;
            c.h.attention[t * from.count + s] = s == look ? 0.6F : 0.4F / (float)(from.count - 1);
        }
    return c;
}

static void case_free(Case *c)
{
    free(c->chunk.source_ids);
    free(c->h.ids);
    free(c->h.attention);
}

typedef struct { int source, partner, is_behind; } TestTag;

static void project(Case *c, const World *w, ChunkTag *tags, int count, int *place)
{
    c->chunk.tag = tags;
    c->chunk.tags = count;
    tag_projection(place, &c->chunk, &c->h, &w->model);
}

static void assert_places(Case *c, const World *w, const TestTag *tags, int count,
                          const int *expected)
{
    ChunkTag list[8];
    int place[8];
    for (int i = 0; i < count; i++)
        list[i] = (ChunkTag){ .source = tags[i].source, .to_partner = tags[i].partner,
                              .is_behind = tags[i].is_behind };
    project(c, w, list, count, place);
    for (int i = 0; i < count; i++)
        assert_int_equal(place[i], expected[i]);
}

#define assert_projected(c, w, tags, ...) \
    assert_places(c, w, tags, (int)(sizeof tags / sizeof *tags), (const int[]){ __VA_ARGS__ })

static void a_pair_should_enclose_what_attends_to_its_words(void **state)
{
    (void)state;
    World w = world_new();
    const TestTag pair[] = { { 1, 1, 0 }, { 3, -1, 1 } };               /* a <b c> d */
    Case c = case_of(&w, "a b c d", "d c b a", "3210");
    assert_projected(&c, &w, pair, 1, 3);
    case_free(&c);
    c = case_of(&w, "a b c d", "b a d c", "1032");                      /* a d are between */
    const TestTag first[] = { { 0, 1, 0 }, { 1, -1, 1 } };
    assert_projected(&c, &w, pair, 0, 1);
    assert_projected(&c, &w, first, 1, 2);
    case_free(&c);
    c = case_of(&w, "a b c d", "b c a b", "1201");                      /* the longer run */
    assert_projected(&c, &w, pair, 0, 2);
    case_free(&c);
    c = case_of(&w, "a b c d", "b a c b a", "10121");                   /* over one between */
    assert_projected(&c, &w, pair, 2, 5);
    case_free(&c);
    tokenizer_free(w.tokenizer);
}

static void words_that_nothing_attends_to_should_get_the_nearest(void **state)
{
    (void)state;
    World w = world_new();
    const TestTag pair[] = { { 1, 1, 0 }, { 2, -1, 1 } };
    Case c = case_of(&w, "a b c d", "a c d", "023");
    c.h.attention[1 * 5 + 1] = 0.2F;                                    /* c looks at b a little */
    assert_projected(&c, &w, pair, 1, 2);
    case_free(&c);
    tokenizer_free(w.tokenizer);
}

static void tags_should_not_cut_words(void **state)
{
    (void)state;
    World w = world_new();
    const TestTag pair[] = { { 1, 1, 0 }, { 2, -1, 1 } };
    Case c = case_of(&w, "a b c", "a xy c", "0122");                    /* x looks at b, y at c */
    assert_projected(&c, &w, pair, 1, 3);
    case_free(&c);
    tokenizer_free(w.tokenizer);
}

static void pairs_should_stay_nested_and_never_cross(void **state)
{
    (void)state;
    World w = world_new();
    const TestTag nested[] = { { 0, 3, 0 }, { 1, 1, 0 }, { 2, -1, 1 }, { 3, -3, 1 } };
    Case c = case_of(&w, "a b c d", "b d a c", "1302");                 /* <a <b> c> d */
    assert_projected(&c, &w, nested, 0, 0, 1, 4);
    case_free(&c);
    const TestTag beside[] = { { 0, 1, 0 }, { 2, -1, 1 }, { 2, 1, 0 }, { 4, -1, 1 } };
    c = case_of(&w, "a b c d", "a a c b b d", "002113");                /* <a b> <c d> */
    assert_projected(&c, &w, beside, 0, 5, 5, 6);
    case_free(&c);
    tokenizer_free(w.tokenizer);
}

static void punctuation_should_stay_outside_unless_the_source_has_it_inside(void **state)
{
    (void)state;
    World w = world_new();
    const TestTag word[] = { { 1, 1, 0 }, { 2, -1, 1 } }, both[] = { { 1, 1, 0 }, { 3, -1, 1 } };
    Case c = case_of(&w, "a b.", "a. b.", "0112");                      /* the first . looks at b */
    assert_projected(&c, &w, word, 2, 3);
    case_free(&c);
    c = case_of(&w, "a b. c", "a b. c", "0123");
    assert_projected(&c, &w, both, 1, 3);
    case_free(&c);
    tokenizer_free(w.tokenizer);
}

static void what_encloses_all_should_enclose_all(void **state)
{
    (void)state;
    World w = world_new();
    const TestTag pair[] = { { 0, 1, 0 }, { 2, -1, 1 } };
    Case c = case_of(&w, "a b", "b a.", "102");                         /* . looks at <eos> */
    assert_projected(&c, &w, pair, 0, 3);
    case_free(&c);
    tokenizer_free(w.tokenizer);
}

static void tags_should_stand_behind_the_prefix(void **state)
{
    (void)state;
    World w = world_new();
    const TestTag pair[] = { { 0, 1, 0 }, { 1, -1, 1 } };
    Case c = case_of(&w, "a b c", "a b c", "012");
    int prefix[] = { c.h.ids[0], c.h.ids[1] };
    c.chunk.prefix_ids = prefix;
    c.chunk.prefix_length = 2;
    assert_projected(&c, &w, pair, 2, 2);
    case_free(&c);
    tokenizer_free(w.tokenizer);
}

static void tags_alone_should_stand_beside_their_word(void **state)
{
    (void)state;
    World w = world_new();
    const TestTag alone[] = { { 0, 0, 0 }, { 2, 0, 0 }, { 2, 0, 1 }, { 4, 0, 1 } };
    Case c = case_of(&w, "a b c d", "d c b a", "3210");                 /* before c, behind b */
    assert_projected(&c, &w, alone, 0, 1, 3, 4);
    case_free(&c);
    tokenizer_free(w.tokenizer);
}

static void tags_alone_should_keep_their_order(void **state)
{
    (void)state;
    World w = world_new();
    const TestTag alone[] = { { 1, 0, 0 }, { 3, 0, 0 } };               /* before b, before d */
    Case c = case_of(&w, "a b c d", "d c b a", "3210");
    assert_projected(&c, &w, alone, 2, 2);
    case_free(&c);
    tokenizer_free(w.tokenizer);
}

static void a_tag_should_stand_behind_the_blank_before_its_word(void **state)
{
    (void)state;
    World w = world_new();
    Case c = case_of(&w, "a b c", "a b c", "012");
    ChunkTag tags[] = { { .source = 1, .to_partner = 1 }, { .source = 2, .to_partner = -1, .is_behind = 1 } };
    c.chunk.tag = tags;
    c.chunk.tags = 2;
    size_t *at = tag_bytes(&c.chunk, &c.h, "a b c", &w.model);
    assert_int_equal(at[0], 2);
    assert_int_equal(at[1], 3);
    free(at);
    case_free(&c);
    tokenizer_free(w.tokenizer);
}

static void signs_should_be_written_as_the_source_has_them(void **state)
{
    (void)state;
    char *texts[] = { "a & b < c" };
    size_t place[] = { 2, 5 }, *places[] = { place };
    char bold[] = "<b>", end[] = "</b>";
    ChunkTag tags[] = { { .written = bold, .to_partner = 1 }, { .written = end, .to_partner = -1, .is_behind = 1 } };
    const char *const line = "&amp; &lt;";
    Buf out = { 0 }, decoded = { 0 };
    const Chunk chunk = { .tag = tags, .tags = 2, .text = texts, .tag_at = places, .count = 1,
                          .signs = entities_decode(line, strlen(line), 0, &decoded) };
    tagged_text_add(&out, &chunk, 0);
    assert_string_equal(out.text, "a <b>&amp; b</b> &lt; c");
    buf_free(&out);
    buf_free(&decoded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_should_enclose_what_attends_to_its_words),
        cmocka_unit_test(words_that_nothing_attends_to_should_get_the_nearest),
        cmocka_unit_test(tags_should_not_cut_words),
        cmocka_unit_test(pairs_should_stay_nested_and_never_cross),
        cmocka_unit_test(punctuation_should_stay_outside_unless_the_source_has_it_inside),
        cmocka_unit_test(what_encloses_all_should_enclose_all),
        cmocka_unit_test(tags_should_stand_behind_the_prefix),
        cmocka_unit_test(tags_alone_should_stand_beside_their_word),
        cmocka_unit_test(tags_alone_should_keep_their_order),
        cmocka_unit_test(signs_should_be_written_as_the_source_has_them),
        cmocka_unit_test(a_tag_should_stand_behind_the_blank_before_its_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
