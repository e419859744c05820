/* test_chunk_line.c - where a line is cut, and what of it is copied; its marks, tags and alignment come back.
 */
#include "base/mem.h"
#include "learn_lines.h"
#include "lexicon_case.h"
#include "translate/chunks.h"
#include "translate/line_alignment.h"
#include "translate/tag_projection.h"
#include "translator_case.h"

static const char *const letters[] = { "abcdefghijklmnopqrstuvwxyz THI.,?!;:()-–'&<>" };
static const char marks[] = "['','','','','','','. , ; : ( ) - & < > the cat is here he dog I']";

/* Sources and targets are of one language, and each token is a letter. */
typedef struct { Tokenizer *tokenizer; Lexicon *lexicon; Chunker chunker; } World;

static World world_new(const char *lexicon_text)
{
    TextOptions options = text_defaults();
    options.tokens = TOKENS_CHAR;
    options.truecase = 1;
    World w = { .tokenizer = learn_lines(&options, letters, 1), .lexicon = lexicon_of(lexicon_text) };
    const Language language = { .tokenizer = w.tokenizer, .lexicon = w.lexicon };
    w.chunker = (Chunker){ .source = language, .target = language, .split = 1 };
    return w;
}

static void world_free(World *w)
{
    lexicon_free(w->lexicon);
    tokenizer_free(w->tokenizer);
}

static char *source_text(const World *w, const Chunk *chunk)
{
    Buf text = { 0 };
    buf_clear(&text);
    tokenizer_decode(w->tokenizer, chunk->source_ids, (size_t)chunk->source_length, NULL, &text);
    return text.text;
}

/* Chunks as mark[source], with a blank between two; ^ if the translation gets a capital. */
static void assert_chunks(const World *w, const char *line, const char *expected)
{
    Translation cut = chunk_line(&w->chunker, line);
    Buf out = { 0 };
    buf_clear(&out);
    for (const Chunk *s = cut.chunk; s < cut.chunk + cut.chunks; s++) {
        char *text = source_text(w, s);
        buf_printf(&out, "%s%s%s[%s]", s > cut.chunk ? " " : "", s->mark ? s->mark : "",
                   s->output == CASE_FIRST_CAPITAL ? "^" : "", text);
        free(text);
    }
    assert_string_equal(out.text, expected);
    translation_free(&cut);
    buf_free(&out);
}

static void a_line_should_be_cut_into_sentences_alone(void **state)
{
    (void)state;
    World w = world_new(marks);
    assert_chunks(&w, "He is here. The cat? I!", "^[he is here.] ^[the cat?] ^[I!]");
    assert_chunks(&w, "- He is; the cat (he, I) - a dog", "- ^[he is; the cat (he, I) - a dog]");
    assert_chunks(&w, "he is...  the cat: I is.", "[he is... the cat: I is.]");
    w.chunker.split = 0;
    assert_chunks(&w, "- He is here. The cat.", "^[- he is here. The cat.]");
    world_free(&w);
}

static void a_sentence_should_be_whole_up_to_the_longest_example(void **state)
{
    (void)state;
    World w = world_new(marks);
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
    Translation cut = chunk_line(&w.chunker, line);
    assert_int_equal(cut.chunks, 1);
    translation_free(&cut);
    w.chunker.longest = 0;
    cut = chunk_line(&w.chunker, line);
    assert_true(cut.chunks > 1);
    translation_free(&cut);
    world_free(&w);
}

static void assert_copied(const World *w, const char *line, const char *copy)
{
    Translation cut = chunk_line(&w->chunker, line);
    const Chunk *chunk = cut.chunk;
    assert_int_equal(cut.chunks, 1);
    assert_int_equal(chunk->prefix_length > 0, copy != NULL);
    if (copy) {
        assert_int_equal(chunk->prefix_ids[chunk->prefix_length - 1], ID_EOS);
        assert_string_equal(chunk->prefix_unknowns ? chunk->prefix_unknown[0] : "", copy);
    }
    translation_free(&cut);
}

static void marks_and_tags_alone_should_be_copied(void **state)
{
    (void)state;
    World w = world_new(marks);
    assert_copied(&w, "-", "-");
    assert_copied(&w, " —  ", "—");
    assert_copied(&w, "?!", "?!");
    assert_copied(&w, " <br/><!-- he -->", "<br/><!-- he -->");
    assert_copied(&w, "<td>&nbsp;</td>", "<td>&nbsp;</td>");
    assert_copied(&w, "he", NULL);
    assert_copied(&w, "x:", NULL);
    assert_copied(&w, "``` he", NULL);
    assert_copied(&w, "\"he\": \"the cat\"", NULL);
    world_free(&w);
}

/* ---- translations that are their sources ---- */

/* The translation is the source: each token looks at itself. */
static void translate_to_itself(const World *w, Chunk *s)
{
    const int length = s->source_length;
    s->count = 1;
    s->hypothesis = xcalloc(1, sizeof *s->hypothesis);
    s->hypothesis[0].length = length;
    s->hypothesis[0].ids = xcalloc((size_t)length, sizeof *s->hypothesis[0].ids);
    s->hypothesis[0].attention = xcalloc((size_t)length * (size_t)length, sizeof(float));
    for (int i = 0; i < length; i++) {
        s->hypothesis[0].ids[i] = s->source_ids[i];
        s->hypothesis[0].attention[i * length + i] = 1;
    }
    s->text = xcalloc(1, sizeof *s->text);
    s->text[0] = source_text(w, s);
}

static Model model_of(const World *w)
{
    return (Model){ .source = w->tokenizer, .target = w->tokenizer,
                    .text = { .tokens = TOKENS_CHAR } };
}

static Translation line_to_itself(const World *w, const char *line)
{
    const Model model = model_of(w);
    Translation cut = chunk_line(&w->chunker, line);
    for (size_t i = 0; i < cut.chunks; i++) {
        Chunk *s = &cut.chunk[i];
        translate_to_itself(w, s);
        if (!s->tags) continue;
        s->tag_at = xmalloc(1, sizeof *s->tag_at);
        s->tag_at[0] = tag_bytes(s, &s->hypothesis[0], s->text[0], &model);
    }
    return cut;
}

static void assert_links(const World *w, const char *line, const char *expected)
{
    const Model model = model_of(w);
    Translation cut = line_to_itself(w, line);
    Buf links = { 0 };
    line_links(&cut, 0, &model, &links);
    assert_string_equal(links.text, expected);
    buf_free(&links);
    translation_free(&cut);
}

/* A line whose translation is itself should be itself, but for the marks of the target. */
static void assert_kept(const World *w, const char *line, const char *expected)
{
    Translation cut = line_to_itself(w, line);
    translation_join(&cut);
    assert_string_equal(cut.hypothesis[0].text, expected);
    translation_free(&cut);
}

static void blocks_should_be_translated_by_themselves(void **state)
{
    (void)state;
    World w = world_new(marks);
    assert_chunks(&w, "<td>the cat</td><td>a dog</td>", "[the cat] [a dog]");
    assert_chunks(&w, "<h1>the cat</h1>he is", "[the cat] [he is]");
    assert_chunks(&w, "the <b>cat</b> a <i>dog</i>", "[the cat a dog]");
    assert_chunks(&w, "the cat\ta dog\nhe", "[the cat a dog he]");
    world_free(&w);
}

static void tags_and_marks_should_come_back(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "he <b>is</b> a dog.", "<p>the <i>cat <b>is</b></i> here.</p>", "he is <br/> here.",
        "<p>he.</p> <p>the cat.</p>", "the <b>cat</b>; <i>a dog</i> is.", "he (<b>the cat</b>) is.",
        "a <i></i>dog", "<b>is he</b>? a dog.", "<a href=\"x: y; z\">is</a> he", "<b>- the cat.</b>",
        "<li>- he.</li> <li>- a dog</li>", "the <i>cat. I <b>is</b></i> he.", "the cat<br>a dog",
        "<p>he.</p><p>the cat.</p>", "  - 1. the cat", "he &amp; I", "he &lt; <b>I &gt; he</b> & I", "&gt; <i>he</i>. &gt; I",
        "<p>he &amp; I.</p><p>I &amp; he.</p>", "the cat & I", NULL
    };
    World w = world_new(marks);
    for (const char *const *line = lines; *line; line++)
        assert_kept(&w, *line, *line);
    assert_kept(&w, "(<b>is he?</b>) the cat.", "(<b>is he?</b>) the cat.");
    assert_kept(&w, "he. <b>\u200B</b>", "he.<b></b>");
    assert_kept(&w, "&#100;og is", "dog is");
    w.chunker.split = 0;
    assert_kept(&w, "he &amp; I", "he &amp; I");
    world_free(&w);
}

static void a_prefix_should_have_the_signs_of_its_line(void **state)
{
    (void)state;
    World w = world_new(marks);
    static const char *const lines[][2] = { { "he &amp; I", "he & I" }, { "he is", "he &amp; I" } };
    for (size_t i = 0; i < 2; i++) {
        Translation cut = chunk_line(&w.chunker, lines[i][0]);
        Buf text = { 0 };
        chunk_set_prefix(&w.chunker, cut.chunk, "he &amp; I", 0);
        buf_clear(&text);
        tokenizer_decode(w.tokenizer, cut.chunk->prefix_ids, (size_t)cut.chunk->prefix_length, NULL, &text);
        assert_string_equal(text.text, lines[i][1]);
        buf_free(&text);
        translation_free(&cut);
    }
    world_free(&w);
}

static void words_behind_tags_and_marks_should_keep_their_places(void **state)
{
    (void)state;
    World w = world_new(marks);
    assert_links(&w, "he <b>is</b> a dog", "0-0 1-1 2-2 3-3");
    assert_links(&w, "he <b id=\"a\">is</b> a dog", "0-0 2-2 3-3 4-4");
    assert_links(&w, "he <br/> is a dog", "0-0 2-2 3-3 4-4");
    assert_links(&w, "- he is. 1. I is", "1-1 2-2 3-3 4-4 5-5");
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_should_be_cut_into_sentences_alone),
        cmocka_unit_test(a_sentence_should_be_whole_up_to_the_longest_example),
        cmocka_unit_test(marks_and_tags_alone_should_be_copied),
        cmocka_unit_test(blocks_should_be_translated_by_themselves),
        cmocka_unit_test(tags_and_marks_should_come_back),
        cmocka_unit_test(a_prefix_should_have_the_signs_of_its_line),
        cmocka_unit_test(words_behind_tags_and_marks_should_keep_their_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
