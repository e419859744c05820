/* test_chunks.c - where a line is cut, and what of it is copied; nothing is left out, and its marks, tags and alignment
 * come back. Whether its words are those that the model knows.
 */
#include "learn_lines.h"
#include "lexicon_case.h"
#include "plain_case.h"
#include "translate/alignment.h"
#include "translate/chunks.h"
#include "translate/tag_projection.h"
#include "translator_case.h"

typedef struct {
    Tokenizer *tokenizer;       /* of both sides */
    Lexicon   *source, *target; /* or NULL */
    Model      model;
    Chunker    chunker;
    Region     region;          /* of the last line */
} World;

/* What learned its tokens from such lines, and the usual case of words from the lexicons. */
static World world_of(int tokens, const char *const *lines, size_t count, const char *source, const char *target)
{
    TextOptions options = text_defaults();
    options.tokens = tokens;
    options.truecase = source != NULL;
    options.placeholders = tokens == TOKENS_BPE;
    World w = { .tokenizer = learn_lines(&options, lines, count) };
    if (source) w.source = lexicon_of(source);
    if (target) w.target = lexicon_of(target);
    w.model = (Model){ .source = w.tokenizer, .target = w.tokenizer, .text = { .tokens = tokens } };
    w.chunker = (Chunker){ .source = { w.tokenizer, .lexicon = w.source }, .target = { w.tokenizer, .lexicon = w.target },
                           .split = 1 };
    return w;
}

/* Sources and targets are of one language, and each token is a letter. */
static World world_new(void)
{
    static const char *const letters[] = { "abcdefghijklmnopqrstuvwxyz THI.,?!;:()-–'&<>" };
    static const char words[] = "['','','','','','','. , ; : ( ) - & < > the cat is here he dog I']";
    return world_of(TOKENS_CHAR, letters, 1, words, words);
}

static void world_free(World *w)
{
    lexicon_free(w->source);
    lexicon_free(w->target);
    tokenizer_free(w->tokenizer);
    region_free(&w->region);
}

static Translation cut(World *w, const char *line)
{
    region_reset(&w->region);
    return chunk_line(&w->chunker, line, &w->region);
}

static const char *text_of(World *w, const int *ids, int count)
{
    Buf text = { 0 };
    buf_clear(&text);
    tokenizer_decode(w->tokenizer, ids, (size_t)count, NULL, NULL, &text);
    const char *kept = region_strndup(&w->region, text.text, text.length);
    buf_free(&text);
    return kept;
}

/* ---- chunks ---- */

/* Chunks as mark[source], with a blank between two; ^ if the translation gets a capital. */
static void assert_chunks(World *w, const char *line, const char *expected)
{
    const Translation t = cut(w, line);
    Buf out = { 0 };
    buf_clear(&out);
    for (const Chunk *s = t.chunk; s < t.chunk + t.chunks; s++)
        buf_printf(&out, "%s%s%s[%s]", s > t.chunk ? " " : "", s->mark ? s->mark : "",
                   s->output == CASE_FIRST_CAPITAL ? "^" : "", text_of(w, s->source_ids, s->source_length));
    assert_string_equal(out.text, expected);
    buf_free(&out);
}

UNIT_TEST(a_line_should_be_cut_into_blocks_and_sentences)
{
    World w = world_new();
    assert_chunks(&w, "He is here. The cat? I!", "^[he is here.] ^[the cat?] ^[I!]");
    assert_chunks(&w, "- He is; the cat (he, I) - a dog", "- ^[he is; the cat (he, I) - a dog]");
    assert_chunks(&w, "he is...  the cat: I is.", "[he is... the cat: I is.]");
    assert_chunks(&w, "<td>the cat</td><td>a dog</td>", "[the cat] [a dog]");
    assert_chunks(&w, "<h1>the cat</h1>he is", "[the cat] [he is]");
    assert_chunks(&w, "the <b>cat</b> a <i>dog</i>", "[the cat a dog]");
    assert_chunks(&w, "the cat\ta dog\nhe", "[the cat a dog he]");
    w.chunker.split = 0;
    assert_chunks(&w, "- He is here. The cat.", "^[- he is here. The cat.]");
    world_free(&w);
}

UNIT_TEST(a_sentence_should_be_whole_up_to_the_longest_example)
{
    World w = world_new();
    w.chunker.longest = 20;
    assert_chunks(&w, "He is. He is? I!", "^[he is.] ^[he is?] ^[I!]");
    assert_chunks(&w, "he is here; a dog is, the cat", "[he is here;] [a dog is, the cat]");
    assert_chunks(&w, "<p>he.</p><p>He.</p>", "[he.] ^[he.]");
    w.chunker.split = 0;
    assert_chunks(&w, "he is here; a dog is, the cat", "[he is here; a dog is, the cat]");
    w.chunker.split = 1;
    w.chunker.longest = 200;
    char line[161] = "";
    memset(line, 'h', sizeof line - 1);
    for (size_t i = 3; i < sizeof line - 1; i += 4) line[i] = ' ';
    assert_int_equal(cut(&w, line).chunks, 1);
    w.chunker.longest = 0;
    assert_true(cut(&w, line).chunks > 1);
    world_free(&w);
}

UNIT_TEST(marks_and_tags_alone_should_be_copied)
{
    static const struct { const char *line, *copy; } cases[] = {
        { "-", "-" }, { " —  ", "—" }, { "?!", "?!" }, { " <br/><!-- he -->", "<br/><!-- he -->" },
        { "<td>&nbsp;</td>", "<td>&nbsp;</td>" },
        { "he", NULL }, { "x:", NULL }, { "``` he", NULL }, { "\"he\": \"the cat\"", NULL },
    };
    World w = world_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Translation t = cut(&w, cases[i].line);
        assert_int_equal(t.chunks, 1);
        assert_int_equal(chunk_is_given(t.chunk), cases[i].copy != NULL);
        if (cases[i].copy) assert_string_equal(t.chunk->prefix_unknown[0], cases[i].copy);
    }
    world_free(&w);
}

/* And what stands behind the mark of its line, whether the text has that or not. */
UNIT_TEST(a_prefix_should_have_the_signs_of_its_line)
{
    static const char *const lines[][3] = {
        { "he &amp; I", "he &amp; I", "he & I" }, { "he is", "he &amp; I", "he &amp; I" },
        { "- he is", "- he", "he" }, { "- he is", "he", "he" },
    };
    World w = world_new();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const Translation t = cut(&w, lines[i][0]);
        chunk_set_prefix(&w.chunker, t.chunk, lines[i][1], 0, &w.region);
        assert_string_equal(text_of(&w, t.chunk->prefix_ids, t.chunk->prefix_length), lines[i][2]);
    }
    world_free(&w);
}

UNIT_TEST(lines_that_show_nothing_should_have_no_chunk)
{
    static const char *const blanks[] = { "", " ", "\t \r", "\xC2\xA0", "\xE3\x80\x80",
                                          "\xE2\x80\x8B\xE2\x80\x8D", "\xEF\xBB\xBF",
                                          "\xE2\x80\xA8\xC2\x85", "\x1B\x07" };
    World w = world_new();
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++)
        assert_int_equal(cut(&w, blanks[i]).chunks, 0);
    world_free(&w);
}

/* The source of all chunks, joined, is the line; none has more than some 80 tokens. */
UNIT_TEST(no_part_of_a_long_line_should_be_left_out)
{
    static const struct { const char *unit; int times; } lines[] = {
        { "a", 5000 }, { "ma ", 2000 }, { "he is here. ", 500 }, { "the cat is here ", 500 },
    };
    World w = world_new();
    for (size_t i = 0; i < 2 * sizeof lines / sizeof *lines; i++) {
        Buf line = { 0 }, all = { 0 };
        for (int k = 0; k < lines[i / 2].times; k++)
            buf_puts(&line, lines[i / 2].unit);
        if (line.text[line.length - 1] == ' ') line.text[--line.length] = '\0';
        w.chunker.split = i % 2;
        const Translation t = cut(&w, line.text);
        assert_true(t.chunks >= line.length / CHUNK_TOKENS);
        for (const Chunk *s = t.chunk; s < t.chunk + t.chunks; s++) {
            assert_in_range(s->source_length, 2, CHUNK_TOKENS + 5);
            joint_add(&all, s->joint, text_of(&w, s->source_ids, s->source_length));
        }
        assert_string_equal(all.text, line.text);
        buf_free(&line);
        buf_free(&all);
    }
    world_free(&w);
}

/* ---- translations that are their sources ---- */

/* Each token looks at itself. */
static Translation line_to_itself(World *w, const char *line)
{
    const Translation t = cut(w, line);
    for (Chunk *s = t.chunk; s < t.chunk + t.chunks; s++) {
        const int length = s->source_length;
        const size_t weights = (size_t)length * (size_t)length;
        Hypothesis *h = s->hypothesis = region_take(&w->region, 1, sizeof *h);
        *h = (Hypothesis){ .length = length, .ids = (int *)s->source_ids,
                           .attention = region_take(&w->region, weights, sizeof(float)) };
        memset(h->attention, 0, weights * sizeof(float));
        for (int i = 0; i < length; i++)
            h->attention[i * length + i] = 1;
        s->count = 1;
        s->text = region_take(&w->region, 1, sizeof *s->text);
        s->text[0] = text_of(w, s->source_ids, length);
        s->tag_at = region_take(&w->region, 1, sizeof *s->tag_at);
        s->tag_at[0] = region_take(&w->region, (size_t)s->tags, sizeof **s->tag_at);
        tag_bytes(s->tag_at[0], s, h, s->text[0], &w->model, &w->region);
    }
    return t;
}

UNIT_TEST(tags_and_marks_should_come_back)
{
    static const char *const lines[] = {
        "he <b>is</b> a dog.", "<p>the <i>cat <b>is</b></i> here.</p>", "he is <br/> here.",
        "<p>he.</p> <p>the cat.</p>", "the <b>cat</b>; <i>a dog</i> is.", "he (<b>the cat</b>) is.",
        "a <i></i>dog", "<b>is he</b>? a dog.", "<a href=\"x: y; z\">is</a> he", "<b>- the cat.</b>",
        "<li>- he.</li> <li>- a dog</li>", "the <i>cat. I <b>is</b></i> he.", "the cat<br>a dog",
        "<p>he.</p><p>the cat.</p>", "  - 1. the cat", "he &amp; I", "he &lt; <b>I &gt; he</b> & I", "&gt; <i>he</i>. &gt; I",
        "<p>he &amp; I.</p><p>I &amp; he.</p>", "the cat & I", "(<b>is he?</b>) the cat."
    };
    static const char *const others[][2] = { { "he. <b>\u200B</b>", "he.<b></b>" }, { "&#100;og is", "dog is" } };
    World w = world_new();
    for (size_t i = 0; i < sizeof lines / sizeof *lines + 2; i++) {
        const size_t other = i - sizeof lines / sizeof *lines;
        Translation t = line_to_itself(&w, i < sizeof lines / sizeof *lines ? lines[i] : others[other][0]);
        translation_join(&t, &w.region);
        assert_string_equal(t.hypothesis[0].text, i < sizeof lines / sizeof *lines ? lines[i] : others[other][1]);
    }
    world_free(&w);
}

UNIT_TEST(words_behind_tags_and_marks_should_keep_their_places)
{
    static const char *const lines[][2] = {
        { "he <b>is</b> a dog", "0-0 1-1 2-2 3-3" }, { "he <b id=\"a\">is</b> a dog", "0-0 2-2 3-3 4-4" },
        { "he <br/> is a dog", "0-0 2-2 3-3 4-4" }, { "- he is. 1. I is", "1-1 2-2 3-3 4-4 5-5" },
    };
    World w = world_new();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const Translation t = line_to_itself(&w, lines[i][0]);
        Buf links = { 0 };
        line_links(&t, 0, &w.model, &links);
        assert_string_equal(links.text, lines[i][1]);
        buf_free(&links);
    }
    world_free(&w);
}

/* A copy that the first sentence lacks is a word behind it. */
UNIT_TEST(words_should_be_counted_behind_copies_that_are_lacking)
{
    World w = world_new();
    const Translation t = line_to_itself(&w, "he is. I is");
    Buf links = { 0 };
    t.chunk[0].copies.text.count = 1;
    t.chunk[0].copies.placeholder[0] = PLACEHOLDERS;        /* none that is written */
    w.model.text.tokens = TOKENS_WORD;          /* else the text is counted */
    line_links(&t, 0, &w.model, &links);
    assert_string_equal(links.text, "0-0 1-1 2-3 3-4");
    buf_free(&links);
    world_free(&w);
}

/* ---- joining ---- */

static void assert_joined(Chunk *chunks, size_t count, const char *expected)
{
    Hypothesis found = { .length = 0 };
    Region region = { 0 };
    for (size_t i = 0; i < count; i++) {
        chunks[i].count = 1;
        chunks[i].hypothesis = &found;
    }
    Translation t = { .chunk = chunks, .chunks = count };
    translation_join(&t, &region);
    assert_string_equal(t.hypothesis[0].text, expected);
    region_free(&region);
}

UNIT_TEST(parts_should_join_to_one_line_again)
{
    Chunk parts[] = { { .mark = "  - ", .joint = JOINT_NONE, .text = (const char *[]){ "Il est ici." } },
                      { .joint = JOINT_BLANK, .text = (const char *[]){ "Elle dort" } },
                      { .joint = JOINT_NONE, .text = (const char *[]){ "!" } },
                      { .mark = "— ", .joint = JOINT_BLANK, .text = (const char *[]){ "Oui." } } };
    Chunk empty[] = { { .joint = JOINT_NONE, .text = (const char *[]){ "" } },
                      { .joint = JOINT_BLANK, .text = (const char *[]){ "." } } };
    assert_joined(parts, 4, "  - Il est ici. Elle dort! — Oui.");
    assert_joined(empty, 2, ".");
}

UNIT_TEST(a_line_should_join_the_last_hypothesis_of_a_chunk_that_has_fewer)
{
    Hypothesis found[4] = { { .length = 0 } };
    const Chunk chunk = { .hypothesis = found, .count = 2 };
    assert_ptr_equal(chunk_hypothesis(&chunk, 1), &found[1]);
    assert_ptr_equal(chunk_hypothesis(&chunk, 3), &found[1]);
}

/* ---- texts that a model's words say are in another language ---- */

static const char *const two_languages[] = {
    "the cat is here and the dog sees a big red house 0123456789.,", "le chat est ici"
};
static const char english[] = "['the cat is here he dog and sees a big red house table I we go there now on']";
static const char french[] = "['le chat est ici il chien et voit un grand rouge maison table on y va la une dans']";

/* What is found in some lines, which follow one another in one text `times` times; more than once is -1. */
static int found_in(World *w, const char *line, int times)
{
    UnfamiliarWalks walks = { 0 };
    int found = UNFAMILIAR_NOT;
    for (int i = 0; i < times; i++) {
        const Translation t = cut(w, line);
        const Unfamiliar now = unfamiliar_add(&walks, &t, w->chunker.source, w->chunker.target);
        if (now != UNFAMILIAR_NOT) found = found == UNFAMILIAR_NOT ? (int)now : -1;
    }
    return found;
}

UNIT_TEST(unfamiliar_words_should_be_told)
{
    static const struct { const char *line; int times, tokens; Unfamiliar found; } cases[] = {
        { "Le chat est ici et voit un grand chien.", 1, TOKENS_BPE, UNFAMILIAR_TARGET },
        { "Le chat est ici.", 1, TOKENS_BPE, UNFAMILIAR_NOT },
        { "Le chat est ici.", 500, TOKENS_BPE, UNFAMILIAR_TARGET },
        { "<p class=\"x\"><b>le chat</b></p>", 500, TOKENS_BPE, UNFAMILIAR_TARGET },
        { "the cat is here", 500, TOKENS_BPE, UNFAMILIAR_NOT },
        { "table on table on", 500, TOKENS_BPE, UNFAMILIAR_NOT },
        { "die katze ist hier und", 500, TOKENS_BPE, UNFAMILIAR_WORDS },
        { "кошка видит собаку", 500, TOKENS_BPE, UNFAMILIAR_WORDS },
        { "猫在这里", 500, TOKENS_BPE, UNFAMILIAR_WORDS },
        { "the katze is here und he sees", 500, TOKENS_BPE, UNFAMILIAR_NOT },
        { "die katze ist hier", 500, TOKENS_WORD, UNFAMILIAR_WORDS },
        { "the cat is here", 500, TOKENS_WORD, UNFAMILIAR_NOT },
        { "Zorbax Xarg KROL", 500, TOKENS_BPE, UNFAMILIAR_NOT },
        { "17 23.5 42", 500, TOKENS_BPE, UNFAMILIAR_NOT },
        { "foo_bar() https://a.b/c x->y", 500, TOKENS_BPE, UNFAMILIAR_NOT },
    };
    World bpe = world_of(TOKENS_BPE, two_languages, 2, english, french);
    World words = world_of(TOKENS_WORD, two_languages, 2, NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(found_in(cases[i].tokens == TOKENS_BPE ? &bpe : &words, cases[i].line, cases[i].times),
                         cases[i].found);
    world_free(&bpe);
    world_free(&words);
}

/* A text is known by its beginning. */
UNIT_TEST(later_words_should_not_count)
{
    World w = world_of(TOKENS_BPE, two_languages, 2, english, french);
    UnfamiliarWalks walks = { 0 };
    for (int i = 0; i < 1000; i++) {
        const Translation t = cut(&w, i < 300 ? "the cat is here" : "le chat est ici");
        assert_int_equal(unfamiliar_add(&walks, &t, w.chunker.source, w.chunker.target), UNFAMILIAR_NOT);
    }
    world_free(&w);
}

/* ---- Lines that go to the network as they are ---- */

/* The pieces of each chunk of a line, in brackets, with what it keeps before them. */
static void assert_plain_chunks(Tokenizer *t, int language, int longest, const char *line, const char *expected)
{
    Region region = { 0 };
    Buf found = { 0 };
    const Chunker chunker = { .source = { .tokenizer = t }, .target = { .tokenizer = t }, .split = 1, .language = language,
                              .longest = longest };
    const Translation out = chunk_line(&chunker, line, &region);
    buf_clear(&found);
    for (size_t i = 0; i < out.chunks; i++) {
        const Chunk *chunk = &out.chunk[i];
        buf_printf(&found, "%s[", chunk->mark ? chunk->mark : "");
        for (int k = 0; k < chunk->source_length - 1; k++)
            buf_printf(&found, "%s%s", k ? " " : "", chunk_source_text(chunk, k, t));
        buf_puts(&found, "]");
        assert_false(chunk_is_given(chunk));
        assert_int_equal(chunk->output, CASE_AS_WRITTEN);
    }
    assert_string_equal(found.text, expected);
    buf_free(&found);
    region_free(&region);
}

UNIT_TEST(a_plain_line_should_keep_blanks_alone)
{
    Tokenizer *t = plain_case("bytes", NULL, 0);
    assert_plain_chunks(t, 0, 0, "  - the 5. A", "  [▁ <0x2D> ▁the ▁ <0x35> . ▁ A]");
    assert_plain_chunks(t, 0, 0, "55", "[▁ <0x35> <0x35>]");
    assert_plain_chunks(t, 0, 0, "<b>a", "[▁ <0x3C> b <0x3E> a]");
    assert_plain_chunks(t, 0, 0, " \t", "");
    tokenizer_free(t);
}

/* 20 tokens are the fewest that a model takes, 80 the most of a line that is not cut. */
#define A10 "a a a a a a a a a a"
#define A10_PIECES "▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a"
#define A40 A10 " " A10 " " A10 " " A10
#define A40_PIECES A10_PIECES " " A10_PIECES " " A10_PIECES " " A10_PIECES
UNIT_TEST(a_plain_line_should_be_cut_into_sentences_where_it_is_longer_than_the_model_takes)
{
    static const char *const piece[] = { "▁a", ".", "▁", "A" };
    Tokenizer *t = plain_case("unigram", piece, 4);
    assert_plain_chunks(t, 0, 20, "a a a a a a a a a. a a a a a a a a a.",
                        "[▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a . ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a .]");
    assert_plain_chunks(t, 0, 20, "a a a a a a a a a. A a a a a a a a a a.",
                        "[▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a .][▁ A ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a .]");
    assert_plain_chunks(t, 0, 500, A40 ". A " A40 ".", "[" A40_PIECES " .][▁ A " A40_PIECES " .]");
    assert_plain_chunks(t, 0, 21, "a a a a a a a a a. A a a a a a a a a.",
                        "[▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a . ▁ A ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a .]");
    tokenizer_free(t);
}

UNIT_TEST(every_chunk_should_begin_with_the_language_that_is_asked_for)
{
#define LONG "a a a a a a a a a a a a a a a a a a a. "
#define PIECES "▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ▁a ."
    static const char *const piece[] = { ">>fra<<", ">>deu<<", "▁", "a", "▁a", "b", "." };
    Tokenizer *t = plain_case("unigram", piece, 7);
    const int german = tokenizer_language(t, slice_of("de"));
    assert_plain_chunks(t, 0, 0, "a. B", "[▁a . ▁ <unk>]");
    assert_plain_chunks(t, german, 0, "a. B", "[>>deu<< ▁a . ▁ <unk>]");
    assert_plain_chunks(t, german, 20, LONG "B", "[>>deu<< " PIECES "][>>deu<< ▁ <unk>]");
    assert_plain_chunks(t, german, 20, ">>fra<< " LONG "B", " [>>fra<< " PIECES "][>>fra<< ▁ <unk>]");
    assert_plain_chunks(t, german, 0, ">>fra<<", "");
    assert_plain_chunks(t, german, 0, "\xE2\x80\x8B", "");
    assert_plain_chunks(t, german, 0, "\xC2\xA4", "");       /* the map of the model removes it */
    tokenizer_free(t);
}

int main(void) { return run_unit_tests(); }
