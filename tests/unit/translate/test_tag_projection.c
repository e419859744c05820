/* test_tag_projection.c - tags of the source in a translation, by attention that is written down. */
#include "translate/tag_projection.h"

#include "learn_lines.h"
#include "numbers.h"
#include "scratch.h"
#include "text/markup.h"

enum { MOST_TAGS = 4 };

typedef struct { int source, partner, is_behind; } TestTag;

/* A chunk whose translation is `text`; source and text end in <eos>. Digit t of `looks` is the piece
 * of the source at which piece t looks with a weight of 0.6; the rest is spread evenly. */
typedef struct {
    const char *source, *text, *looks;
    TestTag     tag[MOST_TAGS];
    int         tags, expected[MOST_TAGS];
    int         prefix;                     /* pieces of the text that are given */
    struct { int piece, source; float weight; } other;      /* one weight that is not so; 0: none */
} Projected;

static const Projected cases[] = {
    /* a pair encloses what attends to its words: a <b c> d */
    { "a b c d", "d c b a", "3210", { { 1, 1, 0 }, { 3, -1, 1 } }, 2, .expected = { 1, 3 } },
    { "a b c d", "b a d c", "1032", { { 1, 1, 0 }, { 3, -1, 1 } }, 2, .expected = { 0, 1 } },           /* a d are between */
    { "a b c d", "b a d c", "1032", { { 0, 1, 0 }, { 1, -1, 1 } }, 2, .expected = { 1, 2 } },
    { "a b c d", "b c a b", "1201", { { 1, 1, 0 }, { 3, -1, 1 } }, 2, .expected = { 0, 2 } },           /* the longer run */
    { "a b c d", "b a c b a", "10121", { { 1, 1, 0 }, { 3, -1, 1 } }, 2, .expected = { 2, 5 } },        /* over one between */
    /* the nearest where nothing attends to it: c looks at b a little */
    { "a b c d", "a c d", "023", { { 1, 1, 0 }, { 2, -1, 1 } }, 2, .expected = { 1, 2 }, .other = { 1, 1, 0.2F } },
    /* tags don't cut words: x looks at b, y at c */
    { "a b c", "a xy c", "0122", { { 1, 1, 0 }, { 2, -1, 1 } }, 2, .expected = { 1, 3 } },
    /* pairs stay nested, <a <b> c> d, and never cross, <a b> <c d> */
    { "a b c d", "b d a c", "1302", { { 0, 3, 0 }, { 1, 1, 0 }, { 2, -1, 1 }, { 3, -3, 1 } }, 4, .expected = { 0, 0, 1, 4 } },
    { "a b c d", "a a c b b d", "002113", { { 0, 1, 0 }, { 2, -1, 1 }, { 2, 1, 0 }, { 4, -1, 1 } }, 4, .expected = { 0, 5, 5, 6 } },
    /* punctuation stays outside, unless the source has it inside: the first . looks at b */
    { "a b.", "a. b.", "0112", { { 1, 1, 0 }, { 2, -1, 1 } }, 2, .expected = { 2, 3 } },
    { "a b. c", "a b. c", "0123", { { 1, 1, 0 }, { 3, -1, 1 } }, 2, .expected = { 1, 3 } },
    /* what encloses all encloses all: . looks at <eos> */
    { "a b", "b a.", "102", { { 0, 1, 0 }, { 2, -1, 1 } }, 2, .expected = { 0, 3 } },
    /* tags stand behind the prefix */
    { "a b c", "a b c", "012", { { 0, 1, 0 }, { 1, -1, 1 } }, 2, .expected = { 2, 2 }, .prefix = 2 },
    /* tags alone stand beside their word, before c and behind b, and keep their order */
    { "a b c d", "d c b a", "3210", { { 0, 0, 0 }, { 2, 0, 0 }, { 2, 0, 1 }, { 4, 0, 1 } }, 4, .expected = { 0, 1, 3, 4 } },
    { "a b c d", "d c b a", "3210", { { 1, 0, 0 }, { 3, 0, 0 } }, 2, .expected = { 2, 2 } },
};

/* Words of one letter, each one piece, and one of two pieces: xy. */
static Tokenizer *letters(void)
{
    static const char *const lines[] = { "a b c d e x", "a b c d e x xy", ". y" };
    TextOptions options = text_defaults();
    options.tokens = TOKENS_BPE;
    options.vocabulary = 40;
    return learn_lines(&options, lines, 3);
}

typedef struct {
    Ids      from, to;
    ChunkTag tag[MOST_TAGS];
    Chunk    chunk;
    Hypothesis h;
} World;

/* `world` is the case; its attention is in the heap. */
static void make(World *world, const Projected *p, const Tokenizer *t, Heap *heap)
{
    Ids *from = &world->from, *to = &world->to;
    tokenizer_encode(t, p->source, strlen(p->source), from, NULL);
    tokenizer_encode(t, p->text, strlen(p->text), to, NULL);
    assert_int_equal(to->count, strlen(p->looks));
    ids_add(from, ID_EOS);
    ids_add(to, ID_EOS);
    float *attention = heap_take(heap, from->count * to->count, sizeof *attention);
    for (size_t i = 0; i < to->count; i++)
        for (size_t s = 0; s < from->count; s++) {
            const size_t look = i + 1 < to->count ? (size_t)(p->looks[i] - '0') : from->count - 1;
            attention[i * from->count + s] = s == look ? 0.6F : 0.4F / (float)(from->count - 1);
        }
    if (p->other.weight > 0) attention[(size_t)p->other.piece * from->count + (size_t)p->other.source] = p->other.weight;
    for (int i = 0; i < p->tags; i++)
        world->tag[i] = (ChunkTag){ .source = p->tag[i].source, .to_partner = p->tag[i].partner,
                                    .is_behind = p->tag[i].is_behind };
    world->h = (Hypothesis){ .ids = to->id, .length = (int)to->count, .attention = attention };
    world->chunk = (Chunk){ .source_ids = from->id, .source_length = (int)from->count, .tag = world->tag,
                            .tags = p->tags, .prefix_ids = to->id, .prefix_length = p->prefix };
}

static void world_free(World *world)
{
    ids_free(&world->from);
    ids_free(&world->to);
}

UNIT_TEST(tags_should_stand_at_the_words_that_attend_to_theirs)
{
    Tokenizer *t = letters();
    const Model model = { .source = t, .target = t };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        World world = { .from = { 0 } };
        Heap heap = { 0 };
        Region region = { 0 };
        make(&world, &cases[i], t, &heap);
        const int *place = tag_projection(&world.chunk, &world.h, &model, &region);
        for (int k = 0; k < cases[i].tags; k++)
            if (place[k] != cases[i].expected[k])
                fail_msg("%s, %s: tag %d is at %d", cases[i].source, cases[i].text, k, place[k]);
        region_free(&region);
        heap_free(&heap);
        world_free(&world);
    }
    tokenizer_free(t);
}

UNIT_TEST(a_tag_should_stand_behind_the_blank_before_its_word)
{
    static const Projected pair = { "a b c", "a b c", "012", { { 1, 1, 0 }, { 2, -1, 1 } }, 2, .expected = { 0 } };
    Tokenizer *t = letters();
    const Model model = { .source = t, .target = t };
    World world = { .from = { 0 } };
    Heap heap = { 0 };
    Region region = { 0 };
    size_t at[2];
    make(&world, &pair, t, &heap);
    tag_bytes(at, &world.chunk, &world.h, "a b c", &model, &region);
    assert_int_equal(at[0], 2);
    assert_int_equal(at[1], 3);
    region_free(&region);
    heap_free(&heap);
    world_free(&world);
    tokenizer_free(t);
}

UNIT_TEST(signs_should_be_written_as_the_source_has_them)
{
    const char *texts[] = { "a & b < c" };
    size_t place[] = { 2, 5 }, *places[] = { place };
    ChunkTag tags[] = { { .written = "<b>", .to_partner = 1 }, { .written = "</b>", .to_partner = -1, .is_behind = 1 } };
    const char *const line = "&amp; &lt;";
    Buf out = { 0 }, decoded = { 0 };
    const Chunk chunk = { .tag = tags, .tags = 2, .text = texts, .tag_at = places, .count = 1,
                          .signs = entities_decode(line, strlen(line), 0, &decoded) };
    tagged_text_add(&out, &chunk, 0);
    assert_string_equal(out.text, "a <b>&amp; b</b> &lt; c");
    buf_free(&out);
    buf_free(&decoded);
}

int main(void) { return run_unit_tests(); }
